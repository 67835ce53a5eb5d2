// Curves of plots: ranges, and thinning to what can be told apart on the screen.

/** Smallest and largest finite value of the samples from `first` to `last`, on a scale; undefined if there is none. */
function extentOf(values, first, last, scale) {
  let [low, high] = [Infinity, -Infinity];
  for (let k = first; k <= last; k++) {
    const y = scale(values[k]);
    if (!Number.isFinite(y)) continue;
    if (y < low) low = y;
    if (y > high) high = y;
  }
  return low <= high ? [low, high] : undefined;
}

/** A range with room around it; never empty. */
function padded([low, high]) {
  const size = high - low;
  const least = 1e-9 * Math.max(Math.abs(low), Math.abs(high));
  const room = size > least ? 0.06 * size : 0.1 * Math.abs(high) || 1;
  return [low - room, high + room];
}

/** Samples from `first` to `last` as x, y, x, y …; at most four a pixel column: the first, the lowest, the highest and the last. */
function thinned(time, values, first, last, pixels) {
  const points = [];
  if (last - first < 3 * pixels) {
    for (let k = first; k <= last; k++) points.push(time[k], values[k]);
    return points;
  }
  const width = (time[last] - time[first]) / pixels || 1;
  for (let k = first; k <= last;) {
    const end = time[first] + width * (1 + Math.floor((time[k] - time[first]) / width));
    let [low, high, n] = [k, k, k];
    for (; n <= last && (time[n] < end || n === k); n++) {
      if (values[n] < values[low] || Number.isNaN(values[low])) low = n;
      if (values[n] > values[high] || Number.isNaN(values[high])) high = n;
    }
    const kept = [k, Math.min(low, high), Math.max(low, high), n - 1];
    kept.forEach((m, j) => { if (j === 0 || m !== kept[j - 1]) points.push(time[m], values[m]); });
    k = n;
  }
  return points;
}

/** Draws points as one line, broken where a value is missing. */
function strokePoints(pen, points, toX, toY) {
  pen.beginPath();
  let broken = true;
  for (let k = 0; k < points.length; k += 2) {
    const y = toY(points[k + 1]);
    if (!Number.isFinite(y)) { broken = true; continue; }
    if (broken) pen.moveTo(toX(points[k]), y);
    else pen.lineTo(toX(points[k]), y);
    broken = false;
  }
  pen.stroke();
}

/** Shown curves with time as comma-separated values. */
function csvOf(run, curves) {
  const quote = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const head = ["time [s]", ...curves.map((curve) => `${curve.name}${curve.unit ? ` [${curve.unit}]` : ""}`)];
  const lines = [head.map(quote).join(",")];
  for (let k = 0; k < run.time.length; k++) lines.push([run.time[k], ...curves.map((curve) => curve.values[k])].join(","));
  return `${lines.join("\n")}\n`;
}
