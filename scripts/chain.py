"""The model gallery/chain-sprocket: a roller chain around two sprockets, the driven one pulled back by a spring.

    python3 scripts/chain.py

The pins of the chain lie on the circles of pins of both sprockets and on the tangents between them, each a pitch from the last; the distance between the
axes is such that the last pin is a pitch from the first. Needs nothing but Python.
"""

import math
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PITCH, TEETH, LINKS = 0.0127, (12, 24), 46
RADII = [0.5 * PITCH / math.sin(math.pi / z) for z in TEETH]

HEAD = """name = "chain-sprocket"
description = "A roller chain of {links} links runs over two sprockets"
gravity = [0, "-9.81 m/s^2", 0]

[parameters]
pitch = "12.7 mm"
roller = "4.25 mm"                     # radius
seat = "4.29 mm"                       # of the sprockets, radius
speed = "120 rpm"                      # of the driver, from 0.2 s on
torque = "3 N*m"                       # the driven sprocket works against
preload = "200 N"                      # of the spring that pulls it back
stiffness = 2e7                        # of a roller on a tooth, N/m
distance = {distance:.12g}             # between the axes
start_driver = {angles[0]:.12g}        # angles of the sprockets, with gaps where the pins are
start_driven = {angles[1]:.12g}
# The pins.
x = [
{x}]
y = [
{y}]

[[bodies.ground.graphics]]
kind = "cylinder"
radius = "6 mm"
length = "30 mm"
color = "#555555"

[bodies.driver]
kind = "planar"
mass = "0.1 kg"
inertia = "2e-5 kg*m^2"
angle = "start_driver"
shapes.teeth = {{ kind = "sprocket", teeth = {teeth[0]}, pitch = "pitch", seat_radius = "seat", flank_angle = "28 deg", tip_radius = {tips[0]:.6g}, width = "7 mm" }}

[bodies.carriage]
kind = "planar"
mass = "0.5 kg"
inertia = "1e-3 kg*m^2"
position = ["distance", 0, 0]
graphics = [{{ kind = "box", size = ["60 mm", "40 mm", "30 mm"], position = ["40 mm", 0, "-25 mm"], color = "#8899aa" }}]

[bodies.driven]
kind = "planar"
mass = "0.4 kg"
inertia = "4e-4 kg*m^2"
position = ["distance", 0, 0]
angle = "start_driven"
shapes.teeth = {{ kind = "sprocket", teeth = {teeth[1]}, pitch = "pitch", seat_radius = "seat", flank_angle = "28 deg", tip_radius = {tips[1]:.6g}, width = "7 mm" }}

[joints.shaft]
kind = "revolute"
between = ["driver", "ground"]
at = [0, 0, 0]

[joints.slide]
kind = "translational"
between = ["carriage", "ground"]
at = ["distance", 0, 0]
axis = [1, 0, 0]

[joints.axle]
kind = "revolute"
between = ["driven", "carriage"]
at = ["distance", 0, 0]

[motions.drive]
joint = "shaft"
velocity = "speed*STEP(TIME, 0, 0, 0.2, 1)"

[forces.pull]
kind = "force"
along = "axis"
i = "carriage.slide"
j = "ground.slide"
function = "preload - 50 N*s/m*VZ(carriage.slide, ground.slide, ground.slide)"

[forces.load]
kind = "force"
along = "rotation"
i = "driven.axle"
j = "carriage.axle"
function = "-torque*STEP(TIME, 0, 0, 0.2, 1)"

[contacts.teeth]
i = "link*.roller"
j = ["driver.teeth", "driven.teeth"]
law = {{ stiffness = "stiffness", exponent = 1, restitution = 0.2 }}
friction = {{ dynamic = 0.1 }}

[sensors.ripple]                       # of the driven sprocket's speed, against the ratio of the teeth
function = "WZ(driven) - WZ(driver)*{teeth[0]}/{teeth[1]}"

[sensors.lag]                          # of its angle
function = "AZ(driven) - start_driven - (AZ(driver) - start_driver)*{teeth[0]}/{teeth[1]}"
unit = "deg"

[simulation]
t_end = "0.8 s"
output_interval = "2 ms"
"""

LINK = """
[[repeat]]
index = "k"
from = 1
to = {links}

[repeat.let]
next = "1 + MOD(k, {links})"
dx = "ARYVAL(x, next) - ARYVAL(x, k)"
dy = "ARYVAL(y, next) - ARYVAL(y, k)"

[repeat.bodies."link{{k}}"]
kind = "planar"
mass = "8 g"
inertia = "2e-7 kg*m^2"
position = ["ARYVAL(x, k) + dx/2", "ARYVAL(y, k) + dy/2", 0]
angle = "ATAN2(dy, dx)"
shapes.roller = {{ kind = "cylinder", radius = "roller", length = "7 mm", position = ["-pitch/2", 0, 0] }}

[[repeat.bodies."link{{k}}".graphics]]
kind = "box"
size = ["pitch", "6 mm", "1.5 mm"]
position = [0, 0, "4.5 mm*(2*MOD(k, 2) - 1)"]
color = "#335577"

[[repeat.bodies."link{{k}}".graphics]]
kind = "cylinder"
radius = "roller"
length = "7 mm"
position = ["-pitch/2", 0, 0]
color = "#cc6644"

[repeat.joints."pin{{k}}"]
kind = "revolute"
between = ["link{{k}}", "link{{1 + MOD(k + {before}, {links})}}"]
at = ["ARYVAL(x, k)", "ARYVAL(y, k)", 0]
"""


def path(distance):
    """Points of the path by length, clockwise from the first pin on top of the driver: arcs about both axes and tangents, with the whole length."""
    r, s = RADII
    lean = math.asin((s - r) / distance)
    span = distance * math.cos(lean)
    around = [(math.pi - 2 * lean) * r, (math.pi + 2 * lean) * s]

    def at(l):
        if l < span:  # above, to the driven sprocket
            x, y = -r * math.sin(lean), r * math.cos(lean)
            return x + l * math.cos(lean), y + l * math.sin(lean)
        l -= span
        if l < around[1]:
            a = math.pi / 2 + lean - l / s
            return distance + s * math.cos(a), s * math.sin(a)
        l -= around[1]
        if l < span:
            x, y = distance - s * math.sin(lean), -s * math.cos(lean)
            return x - l * math.cos(lean), y + l * math.sin(lean)
        l -= span
        a = -math.pi / 2 - lean - l / r
        return r * math.cos(a), r * math.sin(a)

    return at, 2 * span + sum(around)


def listed(numbers):
    """Eight to a line."""
    return "".join("  " + " ".join(f"{n:.12g}," for n in numbers[k : k + 8]) + "\n" for k in range(0, len(numbers), 8))


def root(f, low, high):
    rising = f(high) > 0
    for _ in range(200):
        middle = 0.5 * (low + high)
        if (f(middle) > 0) == rising:
            high = middle
        else:
            low = middle
    return 0.5 * (low + high)


def walk(distance):
    """Pins, and how far past the start the pin after the last one is, along the path."""
    at, length = path(distance)
    pins, l = [at(0.0)], 0.0
    for _ in range(LINKS):
        x, y = pins[-1]
        l = root(lambda m: math.dist((x, y), at(m % length)) - PITCH, l + 0.9 * PITCH, l + 1.3 * PITCH)
        pins.append(at(l % length))
    return pins[:-1], l - length


def main():
    guess = 0.5 * PITCH * (LINKS - 0.5 * sum(TEETH))
    distance = root(lambda c: walk(c)[1], 0.9 * guess, guess)
    pins, _ = walk(distance)
    angles = []
    for (x, radius) in zip((0.0, distance), RADII):
        on = [p for p in pins if abs(math.dist(p, (x, 0.0)) - radius) < 1e-9]
        angles.append(math.atan2(on[len(on) // 2][1], on[len(on) // 2][0] - x))
    tips = [r + 0.19 * PITCH for r in RADII]
    x, y = (listed([pin[axis] for pin in pins]) for axis in (0, 1))
    text = HEAD.format(links=LINKS, distance=distance, angles=angles, teeth=TEETH, tips=tips, x=x, y=y)
    text += LINK.format(links=LINKS, before=LINKS - 2)
    (ROOT / "gallery/chain-sprocket/model.toml").write_text(text)


if __name__ == "__main__":
    main()
