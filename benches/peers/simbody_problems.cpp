// A tree of rigid bodies in Simbody: reads it as plain numbers from the standard input (written by simbody_problems.py), runs it, and
// prints one line of JSON.
//
//     simbody_problems INTEGRATOR ACCURACY STEP REPEAT END < tree.txt
//
// INTEGRATOR is one of those of `integrator` below. With STEP > 0 all steps are of that size and ACCURACY is not used. The input is
//
//     gravity (3)   number of bodies
//     for each body, parents first: parent (0 is the ground)   pin or ball   mass   inertia (xx yy zz xy xz yz)
//         frame on the parent: place (3), quaternion (4)   frame on the body: place (3), quaternion (4)   speeds (1 or 3)
//     number of observed bodies, and these
//
// Frames of bodies are at their centres of mass, both frames of a joint coincide at the start. The time is that of the steps alone.

#include <Simbody.h>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace SimTK;

template <class T> T next() {
    T value;
    if (!(std::cin >> value)) throw std::runtime_error("the description of the tree is not complete");
    return value;
}

Vec3 triple() {
    const Real x = next<Real>(), y = next<Real>(), z = next<Real>();
    return {x, y, z};
}

Transform frame() {
    const Vec3 place = triple();
    const Real w = next<Real>();
    const Vec3 v = triple();
    return {Rotation(Quaternion(w, v[0], v[1], v[2])), place};
}

// The mechanism, and what is looked at.
struct Tree {
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    std::vector<MobilizedBody> bodies{matter.Ground()};
    std::vector<std::vector<Real>> speeds{{}};
    std::vector<int> observed;

    Tree() {
        Force::Gravity(forces, matter, triple());
        for (int left = next<int>(); left > 0; --left) add();
        for (int left = next<int>(); left > 0; --left) observed.push_back(next<int>());
    }

    void add() {
        const int parent = next<int>();
        const std::string kind = next<std::string>();
        const Real mass = next<Real>();
        const Vec3 moments = triple(), products = triple();
        const Body::Rigid body(MassProperties(mass, Vec3(0), Inertia(moments, products)));
        const Transform inboard = frame(), outboard = frame();
        if (kind == "pin") bodies.push_back(MobilizedBody::Pin(bodies[parent], inboard, body, outboard));
        else bodies.push_back(MobilizedBody::Ball(bodies[parent], inboard, body, outboard));
        speeds.push_back({});
        for (int k = 0; k < (kind == "pin" ? 1 : 3); ++k) speeds.back().push_back(next<Real>());
    }

    State start() {
        State state = system.realizeTopology();
        system.realizeModel(state);
        for (size_t k = 1; k < bodies.size(); ++k)
            for (size_t i = 0; i < speeds[k].size(); ++i) bodies[k].setOneU(state, int(i), speeds[k][i]);
        system.realize(state, Stage::Acceleration);
        return state;
    }
};

std::unique_ptr<Integrator> integrator(const System& system, const std::string& name) {
    if (name == "RungeKuttaMerson") return std::unique_ptr<Integrator>(new RungeKuttaMersonIntegrator(system));
    if (name == "RungeKuttaFeldberg") return std::unique_ptr<Integrator>(new RungeKuttaFeldbergIntegrator(system));
    if (name == "RungeKutta3") return std::unique_ptr<Integrator>(new RungeKutta3Integrator(system));
    if (name == "Verlet") return std::unique_ptr<Integrator>(new VerletIntegrator(system));
    if (name == "SemiExplicitEuler2") return std::unique_ptr<Integrator>(new SemiExplicitEuler2Integrator(system));
    if (name == "CPodesAdams") return std::unique_ptr<Integrator>(new CPodesIntegrator(system, CPodes::Adams));
    if (name == "CPodesBDF") return std::unique_ptr<Integrator>(new CPodesIntegrator(system, CPodes::BDF));
    throw std::runtime_error("there is no integrator '" + name + "'");
}

struct Settings {
    std::string integrator;
    Real accuracy, step, end;
};

// A run: its CPU time and what it came to.
struct Run {
    double cpu;
    int steps, evaluations, equations;
    std::vector<Real> observed;
};

Run run(Tree& tree, const Settings& settings) {
    const State start = tree.start();
    auto method = integrator(tree.system, settings.integrator);
    if (settings.step > 0) method->setFixedStepSize(settings.step);
    else method->setAccuracy(settings.accuracy);
    method->setFinalTime(settings.end);
    method->initialize(start);
    const std::clock_t begin = std::clock();
    while (method->getTime() < settings.end) method->stepTo(settings.end);
    const std::clock_t end = std::clock();
    const State& last = method->getState();
    tree.system.realize(last, Stage::Position);
    std::vector<Real> observed;
    for (int body : tree.observed) {
        const Vec3 place = tree.bodies[body].getBodyOriginLocation(last);
        observed.insert(observed.end(), {place[0], place[1], place[2]});
    }
    return {double(end - begin) / CLOCKS_PER_SEC, method->getNumStepsTaken(), method->getNumRealizations(), last.getNU(), observed};
}

void print(const Run& run) {
    std::cout << std::setprecision(17) << "{\"equations\": " << run.equations << ", \"steps\": " << run.steps << ", \"evaluations\": "
              << run.evaluations << ", \"cpu_s\": " << run.cpu << ", \"observed\": [";
    for (size_t k = 0; k < run.observed.size(); ++k) std::cout << (k ? ", " : "") << run.observed[k];
    std::cout << "]}" << std::endl;
}

int main(int count, char** arguments) {
    try {
        if (count != 6) throw std::runtime_error("expected: INTEGRATOR ACCURACY STEP REPEAT END");
        const Settings settings{arguments[1], std::stod(arguments[2]), std::stod(arguments[3]), std::stod(arguments[5])};
        Tree tree;
        Run best = run(tree, settings);
        for (int left = std::stoi(arguments[4]); left > 1; --left) {
            Run again = run(tree, settings);
            if (again.cpu < best.cpu) best = again;
        }
        print(best);
    } catch (const std::exception& error) {
        std::cerr << error.what() << std::endl;
        return 1;
    }
}
