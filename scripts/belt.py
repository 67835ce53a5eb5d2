"""The models gallery/belt and gallery/belt-planar: a poly-V belt of rigid segments around three pulleys and a tensioner.

    cargo run --release -p cardan-cli -- --version        (the command has to be there: its statics find where the belt lies)
    python3 scripts/belt.py [path of the command cardan]

The path of the belt is made of arcs about the pulleys and of the common tangents between them; the segments are put on it one behind the other. From
there `cardan statics` finds the belt at rest, with the pulleys held: pressed into the pulleys, bent where it runs on and off. The models start
from these places with the speed of the belt. Needs nothing but Python.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEGMENTS = 100
PIVOT, ARM, ARM_ANGLE = (-0.165, 0.090), 0.065, math.radians(-27)
TENSIONER = (PIVOT[0] + ARM * math.cos(ARM_ANGLE), PIVOT[1] + ARM * math.sin(ARM_ANGLE))
# Name, centre, radius, +1 where the ribs and -1 where the back of the belt touches, mass, moment of inertia, in the order in which the belt,
# running clockwise, meets them.
PULLEYS = [
    ("crank", (0.0, 0.0), 0.0750, 1, 4.0, 0.15),
    ("tensioner", TENSIONER, 0.0325, -1, 0.25, 1.5e-4),
    ("alternator", (-0.190, 0.185), 0.0280, 1, 2.0, 2.8e-3),
    ("pump", (0.020, 0.235), 0.0600, 1, 0.9, 8.0e-4),
]

PARAMETERS = """[parameters]
speed = "6 m/s"                        # of the belt at the start
free_length = "10.901642 mm"           # of a segment
line_mass = "0.105 kg/m"
tension_stiffness = "1e5 N"            # EA
bending_stiffness = "0.015 N*m^2"      # EI
delay = "20 us"                        # damping per stiffness
stiffness = 1.5e8                      # of the contact, N/m^1.5
damping = "60 N*s/m"
ribs = 1.2                             # coefficients of friction
back = 0.35
transition = "20 mm/s"
axial = "tension_stiffness/free_length"
bending = "bending_stiffness/free_length"
mass = "line_mass*free_length"
inertia = "mass*free_length^2/12 + 2e-8 kg*m^2"
crank_speed = "speed/75 mm"
"""

SEGMENT = """[bodies.segment{k}]
{kind}mass = "mass"
inertia = {inertia}
position = [{x:.12g}, {y:.12g}, 0]
{angle}
velocity = ["{along:.12g}*speed", "{up:.12g}*speed", 0]
angular_velocity = {turning}
markers.head = {{ position = ["free_length/2", 0, 0] }}
markers.tail = {{ position = ["-free_length/2", 0, 0] }}
shapes.belt = {{ kind = "point" }}
graphics = [{{ kind = "box", size = ["free_length", "3 mm", "21 mm"], color = "#333333" }}]
"""

LINK = """[[repeat]]
index = "k"
from = 1
to = {count}

[repeat.forces."link{{k}}"]
kind = "bushing"
i = "segment{{k == {count} ? 1 : {{k+1}}}}.tail"
j = "segment{{k}}.head"
stiffness = ["axial", "0.1*axial", "0.1*axial", "bending", "bending", "bending"]
damping = ["delay*axial", "delay*0.1*axial", "delay*0.1*axial", "delay*bending", "delay*bending", "delay*bending"]
"""

PLANE = """[repeat.joints."plane{k}"]
kind = "planar"
i = "segment{k}"
j = "ground"
"""

LOADS = """[forces.engine]
kind = "force"
along = "rotation"
i = "crank.crank_bearing"
j = "{block}.crank_bearing"
function = "-(6.3 N*m + 2 N*m*s*(crank_speed + WZ(crank)) + 8 N*m*SIN(2*crank_speed*TIME)*STEP(TIME, 0, 0, 20 ms, 1))"

[forces.generator]
kind = "force"
along = "rotation"
i = "alternator.alternator_bearing"
j = "{block}.alternator_bearing"
function = "2 N*m*STEP(TIME, 10 ms, 0, 30 ms, 1)"

[forces.water]
kind = "force"
along = "rotation"
i = "pump.pump_bearing"
j = "{block}.pump_bearing"
function = "0.6 N*m*(WZ(pump)/100 rad/s)^2"
"""

SPRING = """[forces.tension_spring]
kind = "rotational-spring-damper"
i = "arm.arm_bearing"
j = "{block}.arm_bearing"
stiffness = "30 N*m/rad"
damping = "0.5 N*m*s/rad"
preload = "21.078 N*m"
"""

CONTACT = """[contacts.{name}_contact]
i = "segment*.belt"
j = "{name}.rim"
law = {{ kind = "impact", stiffness = "stiffness", exponent = 1.5, damping = "damping", depth = "0.05 mm" }}
friction = {{ dynamic = "{side}", transition_speed = "transition" }}
"""

SENSORS = """[sensors.alternator_speed]
function = "-WZ(alternator)"

[sensors.crank_speed_now]
function = "-WZ(crank)"

[sensors.arm_angle]
function = "AZ(arm, {block}) - AZ({block})"

[simulation]
t_end = "0.2 s"
method = "hht"
tolerance = 1e-5
output_interval = "1 ms"
largest_step = "1 ms"
"""


def spans():
    """Direction and first point of the tangent that leaves each pulley; the belt has its pulley on its right where its ribs touch."""
    found = []
    for k, (_, a, ra, sa, *_) in enumerate(PULLEYS):
        _, b, rb, sb, *_ = PULLEYS[(k + 1) % len(PULLEYS)]
        dx, dy = b[0] - a[0], b[1] - a[1]
        direction = math.atan2(dy, dx) + math.asin((sb * rb - sa * ra) / math.hypot(dx, dy))
        left = (-math.sin(direction), math.cos(direction))
        start, end = ([c[i] + s * r * left[i] for i in (0, 1)] for c, r, s in ((a, ra, sa), (b, rb, sb)))
        found.append((direction, start, math.dist(start, end)))
    return found


def path():
    """Places along the belt: a function of the way, and its length."""
    lines, pieces, length = spans(), [], 0.0
    for k, (direction, start, extent) in enumerate(lines):
        def along(s, direction=direction, start=start):
            return start[0] + s * math.cos(direction), start[1] + s * math.sin(direction), direction
        _, centre, radius, side, *_ = PULLEYS[(k + 1) % len(PULLEYS)]
        turn = side * (direction - lines[(k + 1) % len(lines)][0]) % (2 * math.pi)

        def around(s, direction=direction, centre=centre, radius=radius, side=side):
            angle = direction - side * s / radius
            return centre[0] - side * radius * math.sin(angle), centre[1] + side * radius * math.cos(angle), angle
        for piece, size in ((along, extent), (around, radius * turn)):
            pieces.append((length, piece))
            length += size

    def place(s):
        begin, piece = max(((begin, piece) for begin, piece in pieces if begin <= s), key=lambda entry: entry[0])
        return piece(s - begin)
    return place, length


def first_places():
    place, length = path()
    return [place((k + 0.5) * length / SEGMENTS) for k in range(SEGMENTS)]


def segments(places, planar):
    """The segments, one by one: place, angle, and turn per length."""
    texts = []
    for k, (x, y, angle) in enumerate(places):
        before, after = places[k - 1][2], places[(k + 1) % SEGMENTS][2]
        curvature = ((after - before + math.pi) % (2 * math.pi) - math.pi) / (2 * 0.010901642)
        texts.append(SEGMENT.format(
            k=k + 1, x=x, y=y, along=math.cos(angle), up=math.sin(angle),
            kind='kind = "planar"\n' if planar else "",
            inertia='"inertia"' if planar else '["2e-8 kg*m^2", "inertia", "inertia"]',
            angle=f"angle = {angle:.12g}" if planar else f"orientation = {{ axis = [0, 0, 1], angle = {angle:.12g} }}",
            turning=f'"{curvature:.6g}*speed/1 m"' if planar else f'[0, 0, "{curvature:.6g}*speed/1 m"]'))
    return "\n".join(texts)


def joint(kind, name, bodies, at):
    return f'[joints.{name}]\nkind = "{kind}"\nbetween = ["{bodies[0]}", "{bodies[1]}"]\nat = [{at[0]:.12g}, {at[1]:.12g}, 0]\naxis = [0, 0, 1]\n'


def machine(planar, held, arm_angle):
    """Pulleys, arm and block."""
    block = "ground" if planar else "block"
    kind = 'kind = "planar"\n' if planar else ""
    def inertia(about_axis, mass):
        return f"{about_axis}" if planar else f"[{0.6 * about_axis:.6g}, {0.6 * about_axis:.6g}, {about_axis}]"
    out = []
    if not planar:
        out.append('[bodies.block]\nmass = "120 kg"\ninertia = [4, 4, 4]\nposition = [-0.05, 0.1, -0.2]\n')
        out.append('[joints.mount]\nkind = "fixed"\nbetween = ["block", "ground"]\nat = [-0.05, 0.1, -0.2]\n')
    tip = (PIVOT[0] + ARM * math.cos(arm_angle), PIVOT[1] + ARM * math.sin(arm_angle))
    middle = ((PIVOT[0] + tip[0]) / 2, (PIVOT[1] + tip[1]) / 2)
    turned = f'angle = {arm_angle:.12g}' if planar else f'orientation = {{ axis = [0, 0, 1], angle = {arm_angle:.12g} }}'
    out.append(f'[bodies.arm]\n{kind}mass = 0.35\ninertia = {inertia(2e-4, 0.35)}\nposition = [{middle[0]:.12g}, {middle[1]:.12g}, 0]\n{turned}\n'
               f'graphics = [{{ kind = "box", size = [{ARM}, "12 mm", "6 mm"], position = [0, 0, "16 mm"], color = "#888888" }}]\n')
    out.append(joint("revolute", "arm_bearing", ("arm", block), PIVOT))
    for name, centre, radius, side, mass, about_axis in PULLEYS:
        centre, carrier = (tip, "arm") if name == "tensioner" else (centre, block)
        spin = f'"{-side}*speed/{1000 * radius:g} mm"'
        spin = spin if planar else f"[0, 0, {spin}]"
        out.append(f'[bodies.{name}]\n{kind}mass = {mass}\ninertia = {inertia(about_axis, mass)}\nposition = [{centre[0]:.12g}, {centre[1]:.12g}, 0]\n'
                   f'angular_velocity = {spin}\nshapes.rim = {{ kind = "cylinder", radius = "{1000 * radius:g} mm", length = "25 mm" }}\n'
                   f'graphics = [{{ kind = "cylinder", radius = "{1000 * radius:g} mm", length = "25 mm", color = "#4477aa" }},\n'
                   f'  {{ kind = "box", size = ["{1600 * radius:g} mm", "4 mm", "27 mm"], color = "#ddcc77" }}]\n')
        out.append(joint("fixed" if held else "revolute", f"{name}_bearing", (name, carrier), centre))
    return "\n".join(out)


def model(places, arm_angle, planar, held=False):
    """The text of a model."""
    block, name = ("ground", "belt-planar") if planar else ("block", "belt")
    parts = [f'name = "{name}"\ndescription = "A poly-V belt drives alternator and water pump of an engine"\ngravity = [0, 0, 0]\n',
             PARAMETERS, segments(places, planar), LINK.format(count=SEGMENTS)]
    parts += [] if planar else [PLANE]
    parts += [machine(planar, held, arm_angle), SPRING.format(block=block)]
    parts += [CONTACT.format(name=name, side="ribs" if side > 0 else "back") for name, _, _, side, *_ in PULLEYS]
    parts += [] if held else [LOADS.format(block=block)]
    parts.append(SENSORS.format(block=block))
    text = "\n".join(parts)
    if held:
        text = text.replace('speed = "6 m/s"', "speed = 0", 1)
    return text


def at_rest(command, places):
    """Places of the segments and angle of the arm at rest with the pulleys held."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "held.toml"
        file.write_text(model(places, ARM_ANGLE, planar=True, held=True))
        found = json.loads(subprocess.run([command, "statics", str(file), "--json"], check=True, capture_output=True, text=True).stdout)
    channels = found["channels"]
    get = lambda body: [channels[f"{body}.{part}"] for part in ("position.x", "position.y", "angle")]
    print(f"statics: {found['steps']} steps, residual {found['residual']:.1e} N")
    return [get(f"segment{k + 1}") for k in range(SEGMENTS)], get("arm")[2]


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/cardan")
    places, arm_angle = at_rest(command, first_places())
    for planar, name in ((False, "belt"), (True, "belt-planar")):
        (ROOT / "gallery" / name / "model.toml").write_text(model(places, arm_angle, planar))


if __name__ == "__main__":
    main()
