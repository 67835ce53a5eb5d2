"""The model gallery/track: the track of an excavator, 46 shoes about a sprocket, an idler and seven rollers.

    python3 scripts/track.py [path of the command cardan]

The pins of the chain are put one pitch apart on the path around the pin circles of sprocket and idler, which stand as far from each other as closes
the chain. From there `cardan statics` finds the machine at rest on the ground. Needs nothing but Python.
"""

import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PITCH, SHOES, TEETH = 0.5, 46, 14
RAIL, PAD = 0.10, 0.25                  # surfaces of a shoe: inside and outside of the line of pins
SPROCKET = PITCH / (2 * math.sin(math.pi / TEETH))
IDLER = math.hypot(0.95 + RAIL, PITCH / 2)
ROLLER, ROLLERS = 0.40, 7

HEAD = """name = "track"
description = "The track of an excavator: a chain of shoes, driven by a sprocket, between rollers and ground"
gravity = [0, "-9.81 m/s^2", 0]

[parameters]
upper_works = "240 t"                  # share of the machine on this track
speed = "0.6 rad/s"                    # of the sprocket
preload = "1 MN"                       # of the tensioner
wear = 0.15                            # coefficients of friction: steel on steel, shoes on the ground
grip = 0.6

[bodies.ground.shapes]
soil = {{ kind = "half-space", position = [0, {ground:g}, 0], orientation = {{ z = [0, 1, 0] }} }}

[[bodies.ground.graphics]]
kind = "box"
size = [16, 0.1, 3]
position = [5, {below:g}, 0]
color = "#c8a46e"
"""

SHOE = """[bodies.shoe{k}]
mass = "2 t"
inertia = [640, 640, 75]
position = [{x:.12g}, {y:.12g}, 0]
orientation = {{ axis = [0, 0, 1], angle = {angle:.12g} }}
markers.front = {{ position = [0.25, 0, 0] }}
markers.rear = {{ position = [-0.25, 0, 0] }}
shapes.pin = {{ kind = "cylinder", radius = "80 mm", length = 0.4, position = [0.25, 0, 0] }}
shapes.rail = {{ kind = "capsule", radius = "20 mm", length = 0.5, position = [0, 0.08, 0], orientation = {{ z = [1, 0, 0] }} }}
shapes.pad1 = {{ kind = "point", position = [0.23, -0.25, 0.95] }}
shapes.pad2 = {{ kind = "point", position = [0.23, -0.25, -0.95] }}
shapes.pad3 = {{ kind = "point", position = [-0.23, -0.25, 0.95] }}
shapes.pad4 = {{ kind = "point", position = [-0.23, -0.25, -0.95] }}
shapes.arm = {{ kind = "point", position = [-0.05, 0, 0] }}
shapes.back_stop = {{ kind = "half-space", position = [0.25, 0, 0], orientation = {{ axis = [1, 0, 0], angle = "-90 deg" }} }}
shapes.front_stop = {{ kind = "half-space", position = [0.25, 0, 0], orientation = {{ z = [0.46947156, -0.88294759, 0] }} }}
graphics = [{{ kind = "box", size = [0.46, 0.2, 1.9], position = [0, -0.15, 0], color = "#555555" }},
  {{ kind = "box", size = [0.48, 0.15, 0.3], position = [0, 0.025, 0], color = "#777777" }}]
"""

CHAIN = """[[repeat]]
index = "k"
from = 1
to = {last}

[repeat.joints."pin{{k}}"]
kind = "revolute"
i = "shoe{{k+1}}.rear"
j = "shoe{{k}}.front"

[[repeat]]
index = "k"
from = 1
to = {shoes}

[repeat.contacts."back{{k}}"]
i = "shoe{{k == {shoes} ? 1 : {{k+1}}}}.arm"
j = "shoe{{k}}.back_stop"
law = {{ kind = "impact", stiffness = 1e8, exponent = 1.1, damping = 2e5, depth = "0.5 mm" }}

[repeat.contacts."front{{k}}"]
i = "shoe{{k == {shoes} ? 1 : {{k+1}}}}.arm"
j = "shoe{{k}}.front_stop"
law = {{ kind = "impact", stiffness = 1e8, exponent = 1.1, damping = 2e5, depth = "0.5 mm" }}

# With a revolute joint here, three of its rows would follow from those of the others.
[joints.closing]
kind = "in-line"
i = "shoe1.rear"
j = "shoe{shoes}.front"
"""

CONTACTS = """[contacts.soil]
i = "shoe*.pad*"
j = "ground.soil"
law = { kind = "impact", stiffness = 6e6, exponent = 1.1, damping = 1e5, depth = "5 mm" }
friction = { dynamic = "grip", transition_speed = "20 mm/s" }

[contacts.rollers]
i = "roller*.rim"
j = "shoe*.rail"
law = { kind = "impact", stiffness = 5e8, exponent = 1.1, damping = 1e6, depth = "0.5 mm" }
friction = { dynamic = "wear", transition_speed = "20 mm/s" }

[contacts.idler]
i = "idler.rim"
j = "shoe*.rail"
law = { kind = "impact", stiffness = 5e8, exponent = 1.1, damping = 1e6, depth = "0.5 mm" }
friction = { dynamic = "wear", transition_speed = "20 mm/s" }

[contacts.teeth]
i = "shoe*.pin"
j = "sprocket.teeth"
law = { kind = "impact", stiffness = 5e8, exponent = 1.1, damping = 2e6, depth = "0.5 mm" }
friction = { dynamic = "wear", transition_speed = "20 mm/s" }

[forces.tensioner]
kind = "spring-damper"
i = "yoke.rod"
j = "frame.cylinder"
stiffness = "20 MN/m"
damping = "500 kN*s/m"
preload = "preload"
free_length = 1

[motions.drive]
joint = "sprocket_axle"
velocity = "-speed*STEP(TIME, 0.5 s, 0, 2.5 s, 1)"

[sensors.shoe8_speed]
function = "VM(shoe8)"

[sensors.shoe8_acceleration]
function = "ACCM(shoe8)"

[simulation]
t_end = "14 s"
method = "hht"
tolerance = 1e-5
norm = "paper"
output_interval = "10 ms"
"""


def path(x):
    """Places on the path about the pin circles, whose centres are x apart, from below the sprocket on; and the length of the path."""
    lean = math.asin((SPROCKET - IDLER) / math.hypot(x, SPROCKET - IDLER))
    slope = 2 * lean                    # of the upper run against the lower one, which is level
    top, level = math.pi - slope, x
    pieces = [
        (level, lambda s: (s, 0.0)),
        (IDLER * top, lambda s: (x + IDLER * math.sin(s / IDLER), IDLER - IDLER * math.cos(s / IDLER))),
        (level, lambda s: (x + IDLER * math.sin(top) - s * math.cos(slope), IDLER - IDLER * math.cos(top) + s * math.sin(slope))),
        (SPROCKET * (math.pi + slope), lambda s: (SPROCKET * math.sin(top + s / SPROCKET), SPROCKET - SPROCKET * math.cos(top + s / SPROCKET))),
    ]
    length = sum(size for size, _ in pieces)

    def place(s):
        s %= length
        for size, piece in pieces:
            if s <= size:
                return piece(s)
            s -= size
        return pieces[0][1](0.0)
    return place, length


def root(function, low, high):
    """Where a rising function is zero."""
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return low


def pins(x):
    """Pins one pitch apart, and by how much the path is longer than the chain."""
    place, length = path(x)
    ways = [0.0]
    for _ in range(SHOES):
        last = ways[-1]
        ways.append(root(lambda s: math.dist(place(s), place(last)) - PITCH, last + 0.9 * PITCH, last + 1.3 * PITCH))
    return [place(s) for s in ways[:-1]], length - ways[-1]


def first_places():
    """Place and angle of every body."""
    x = root(lambda x: pins(x)[1], 7.0, 9.0)
    chain, _ = pins(x)
    places = {}
    for k, (a, b) in enumerate(zip(chain, chain[1:] + chain[:1])):
        places[f"shoe{k + 1}"] = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, math.atan2(b[1] - a[1], b[0] - a[0]))
    places["sprocket"] = (0.0, SPROCKET, 0.0)
    places["idler"] = places["yoke"] = (x, IDLER, 0.0)
    for k in range(ROLLERS):
        places[f"roller{k + 1}"] = (1.15 + (x - 2.4) * k / (ROLLERS - 1), ROLLER + RAIL, 0.0)
    places["frame"] = (x / 2, 1.1, 0.0)
    for name, at in FIXED.items():
        places[name] = (*at[:2], 0.0)
    return places, x


# Parts fixed to the frame: place, mass, inertia.
FIXED = {
    "final_drive": (0.0, SPROCKET, "20 t", "[8000, 8000, 9000]"),
    "side_frame1": (4.0, 0.9, "15 t", "[4000, 42000, 42000]"),
    "side_frame2": (4.0, 0.9, "15 t", "[4000, 42000, 42000]"),
    "superstructure": (4.0, 3.5, '"upper_works"', "[5e5, 9e5, 9e5]"),
}


def body(name, place, mass, inertia, more=""):
    x, y, angle = place
    turned = f"orientation = {{ axis = [0, 0, 1], angle = {angle:.12g} }}\n" if angle else ""
    mass = mass if mass.startswith('"') else f'"{mass}"'
    return f"[bodies.{name}]\nmass = {mass}\ninertia = {inertia}\nposition = [{x:.12g}, {y:.12g}, 0]\n{turned}{more}"


def wheel(radius, color):
    return (f'graphics = [{{ kind = "cylinder", radius = {radius:g}, length = 0.5, color = "{color}" }},\n'
            f'  {{ kind = "box", size = [{1.6 * radius:g}, 0.06, 0.54], color = "#ddcc77" }}]\n')


def rim(radius):
    return f'shapes.rim = {{ kind = "capsule", radius = {radius:g}, length = 0.8 }}\n' + wheel(radius, "#4477aa")


def joint(name, kind, bodies, at, more="axis = [0, 0, 1]\n"):
    x, y, _ = at
    return f'[joints.{name}]\nkind = "{kind}"\nbetween = ["{bodies[0]}", "{bodies[1]}"]\nat = [{x:.12g}, {y:.12g}, 0]\n{more}'


def machine(places, x):
    """Frame, wheels and what is fixed to the frame; x is where the axle of the idler is in the drawing."""
    teeth = (f'shapes.teeth = {{ kind = "sprocket", teeth = {TEETH}, pitch = {PITCH}, seat_radius = "85 mm", flank_angle = "25 deg", tip_radius = 1.22,\n'
             f'  width = 0.4, orientation = {{ axis = [0, 0, 1], angle = "-90 deg" }} }}\n')
    frame = (f'markers.cylinder = {{ position = [{x / 2 - 1:.12g}, {IDLER - 1.1:.12g}, 0] }}\n'
             'graphics = [{ kind = "box", size = [6, 0.4, 0.6], color = "#888888" }]\n')
    parts = [
        body("frame", places["frame"], "60 t", "[2e5, 4.5e5, 4.5e5]", frame),
        joint("plane", "planar", ("frame", "ground"), places["frame"]),
        body("sprocket", places["sprocket"], "12 t", "[5000, 5000, 8000]", teeth + wheel(1.0, "#aa7744")),
        joint("sprocket_axle", "revolute", ("sprocket", "frame"), places["sprocket"]),
        body("yoke", places["yoke"], "3 t", "[500, 800, 800]", "markers.rod = {}\n"),
        joint("slide", "translational", ("yoke", "frame"), places["yoke"], "axis = [1, 0, 0]\n"),
        body("idler", places["idler"], "9 t", "[3000, 3000, 4500]", rim(0.95)),
        joint("idler_axle", "revolute", ("idler", "yoke"), places["idler"]),
    ]
    for k in range(1, ROLLERS + 1):
        at = places[f"roller{k}"]
        parts.append(body(f"roller{k}", at, "2.4 t", "[300, 300, 220]", rim(ROLLER)))
        parts.append(joint(f"roller_axle{k}", "revolute", (f"roller{k}", "frame"), at))
    for name, (_, _, mass, inertia) in FIXED.items():
        parts.append(body(name, places[name], mass, inertia))
        parts.append(joint(f"{name}_bolts", "fixed", (name, "frame"), places[name]))
    return "\n".join(parts)


def model(places, x):
    """The text of the model."""
    shoes = [SHOE.format(k=k, x=at[0], y=at[1], angle=at[2]) for k, at in ((k, places[f"shoe{k}"]) for k in range(1, SHOES + 1))]
    head = HEAD.format(ground=-PAD, below=-PAD - 0.05)
    return "\n".join([head, *shoes, machine(places, x), CHAIN.format(shoes=SHOES, last=SHOES - 1), CONTACTS])


def flat(text):
    """The same machine of bodies in the plane."""
    text = re.sub(r"orientation = \{ axis = \[0, 0, 1\], angle = (\S+) \}\n(?!  width)", r"angle = \1\n", text)
    text = re.sub(r"(\[bodies\.(?!ground)\w+\]\n)", r'\1kind = "planar"\n', text)
    text = re.sub(r"inertia = \[[^,]*, [^,]*, ([^\]]*)\]", r"inertia = \1", text)
    return re.sub(r"\[joints\.plane\]\n(.+\n)+", "", text)


def at_rest(command, places, x):
    """The places at rest, of bodies in the plane, which stay there."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "track.toml"
        file.write_text(flat(model(places, x)))
        found = json.loads(subprocess.run([command, "statics", str(file), "--json"], check=True, capture_output=True, text=True).stdout)
    print(f"statics: {found['steps']} steps, residual {found['residual']:.1e} N")
    get = found["channels"].get
    return {name: tuple(get(f"{name}.{part}") for part in ("position.x", "position.y", "angle")) for name in places}


def main():
    command = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target/release/cardan")
    places, x = first_places()
    (ROOT / "gallery/track/model.toml").write_text(model(at_rest(command, places, x), x))


if __name__ == "__main__":
    main()
