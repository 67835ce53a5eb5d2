// Time of the animation: playing, speed, looping, and whoever wants to know.

const SPEEDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

/** Real time if the run can be watched so, else the speed that comes closest to ten seconds. */
function defaultSpeed(duration) {
  if (duration >= 1 && duration <= 60) return 1;
  const off = (speed) => Math.abs(Math.log(duration / speed / 10));
  return SPEEDS.reduce((best, speed) => (off(speed) < off(best) ? speed : best));
}

class Playback {
  constructor(run) {
    this.run = run;
    this.time = run.start;
    this.speed = run.duration > 0 ? defaultSpeed(run.duration) : 1;
    this.playing = false;
    this.loop = true;
    this.listeners = [];
  }

  /** Jumps to a time within the run. */
  seek(t) {
    this.time = clamp(t, this.run.start, this.run.end);
    this.run.seek(this.time);
    this.changed();
  }

  /** Jumps by so many samples. */
  step(count) {
    this.playing = false;
    const { time } = this.run;
    const k = this.run.sampleAt(this.time);
    const back = count < 0 && this.time > time[k] ? 1 : 0;
    this.seek(time[clamp(k + count + back, 0, time.length - 1)]);
  }

  toggle() {
    this.playing = !this.playing && this.run.duration > 0;
    if (this.playing && !this.loop && this.time >= this.run.end) this.time = this.run.start;
    this.changed();
  }

  /** Lets so many seconds of the viewer's clock pass. */
  advance(seconds) {
    if (!this.playing) return;
    let t = this.time + seconds * this.speed;
    if (t > this.run.end) {
      if (this.loop) t = this.run.start + ((t - this.run.start) % this.run.duration);
      else this.playing = false;
    }
    this.seek(t);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }
}
