/* Charts: lines, steps over time, and shares that stand on each other, with axes, a legend and values at the pointer.
 *
 * A chart is {title, unit, series: [{name, values}], x}, values null where there is none. x is {edges, text(i), axis: {ticks, name}}
 * for steps from edge to edge, or {labels, name} for points, evenly spaced. stacked: shares, as areas on each other. */

const CHART = {height: 176, left: 52, right: 12, top: 8, low: 32};
const SERIES = 6; /* that colours, dashes and marks tell apart */
const DASHES = ["", "8 3", "2 3", "10 3 2 3", "16 5", "5 2 1 2 1 2"];
const MARKS = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0", "M-4 -4h8v8h-8z", "M0 -5l5 9h-10z", "M0 -5l5 5l-5 5l-5 -5z", "M-4 -4l8 8M4 -4l-8 8", "M-5 0h10M0 -5v10"];
const HATCHES = ["", "M0 8L8 0", "M0 0L8 8", "M0 4H8", "M4 0V8", "M0 8L8 0M0 0L8 8"];

/* Of more series than that each has a colour, a dash and a mark that no other has together. */
const colourOf = i => `s${i % SERIES}`;
const turned = (list, i) => list[(i + Math.floor(i / SERIES)) % SERIES];

/* Multiples of 1, 2 or 5 of a power of ten around a range, about n of them. */
function ticks(low, high, n) {
    const raw = (high - low || Math.abs(high) || 1) / n, power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 5, 10].map(m => m * power).find(s => s >= raw * 0.999);
    const all = [];
    for (let i = Math.floor(low / step + 1e-9); i === Math.floor(low / step + 1e-9) || all[all.length - 1] < high - step * 1e-9; i++)
        all.push(+(i * step).toPrecision(12));
    if (all.length > 1) return all;
    return low > 0 ? [low - step, low, low + step].map(n => +n.toPrecision(12)) : [0, step]; /* all values are one, and a round number */
}

const compact = n => n.toLocaleString("en-US", {notation: "compact", maximumSignificantDigits: 4});
const exactly = n => n === null || n === undefined ? "none" : Number.isInteger(n) ? big(n) : String(+n.toPrecision(4));

/* Values of a stack: each series on those before it. */
function tops(spec) {
    const sums = spec.series[0].values.map(() => 0);
    return spec.series.map(s => s.values.map((v, i) => sums[i] += v || 0));
}

function rangeOf(spec) {
    const all = (spec.stacked ? tops(spec) : spec.series.map(s => s.values)).flat().filter(v => v !== null);
    const high = all.reduce((a, b) => Math.max(a, b), 0), low = all.reduce((a, b) => Math.min(a, b), high);
    if (spec.stacked) return ticks(0, 100, 4);
    return ticks(spec.fits && low > high / 2 ? low : 0, high, 4);
}

/* The rows of values as pieces without a gap: [i, value] each. */
function pieces(values) {
    const all = [[]];
    values.forEach((v, i) => v === null ? all.push([]) : all[all.length - 1].push([i, v]));
    return all.filter(piece => piece.length > 0);
}

/* Where what is drawn lies. */
function placesIn(spec, width) {
    const {left, right, top, low, height} = CHART, wide = width - left - right, y = rangeOf(spec), bottom = height - low;
    const n = spec.series[0].values.length, end = spec.x.edges ? spec.x.edges[n] || 1 : 0;
    const place = {width, y, bottom, at: v => bottom - (bottom - top) * (v - y[0]) / (y[y.length - 1] - y[0])};
    if (spec.x.edges) {
        place.start = i => left + wide * spec.x.edges[i] / end;
        place.middle = i => (place.start(i) + place.start(i + 1)) / 2;
        place.find = x => spec.x.edges.findIndex((e, i) => i > 0 && place.start(i) > x) - 1;
    } else {
        place.middle = i => left + (n > 1 ? 14 + (wide - 28) * i / (n - 1) : wide / 2);
        place.find = x => Math.min(n - 1, Math.max(0, Math.round((x - left - 14) / (wide - 28 || 1) * (n - 1))));
    }
    return place;
}

/* Of the labels as many as have room. */
function labelAxis(spec, place, svg) {
    const {left, right, height} = CHART, points = [];
    if (spec.x.edges) spec.x.axis.ticks.forEach(([at, text]) => points.push([left + (place.width - left - right) * at, text]));
    else spec.x.labels.forEach((text, i) => points.push([place.middle(i), text]));
    let free = -Infinity;
    for (const [x, text] of points) {
        const half = Math.min(text.length, 14) * 3.1 + 3, middle = Math.min(Math.max(x, half), place.width - half);
        if (middle - half < free) continue;
        svg.append(drawn("line", {class: "grid", x1: x, x2: x, y1: place.bottom, y2: place.bottom + 4}));
        svg.append(drawn("text", {x: middle, y: height - 16, "text-anchor": "middle"}, text.length > 14 ? text.slice(0, 13) + "\u2026" : text));
        free = middle + half;
    }
    svg.append(drawn("text", {x: place.width - right, y: height - 4, "text-anchor": "end"}, spec.x.edges ? spec.x.axis.name : spec.x.name));
}

function drawAxes(spec, place, svg) {
    for (const v of place.y) {
        svg.append(drawn("line", {class: "grid", x1: CHART.left, x2: place.width - CHART.right, y1: place.at(v), y2: place.at(v)}));
        svg.append(drawn("text", {x: CHART.left - 6, y: place.at(v) + 4, "text-anchor": "end"}, compact(v)));
    }
    labelAxis(spec, place, svg);
}

/* A square of a series' colour and hatching, which areas and their legend are filled with. */
function hatch(id, i) {
    const pattern = drawn("pattern", {id, width: 8, height: 8, patternUnits: "userSpaceOnUse"});
    pattern.append(drawn("rect", {class: colourOf(i), width: 8, height: 8}), drawn("path", {class: "hatch", d: HATCHES[i]}));
    return pattern;
}

let nHatches = 0;

function drawStack(spec, place, svg) {
    const on = tops(spec), defs = drawn("defs", {});
    svg.append(defs);
    spec.series.forEach((s, i) => {
        const below = i > 0 ? on[i - 1] : on[0].map(() => 0), id = `hatch${nHatches++}`;
        const edge = (values, j) => `${place.start(j).toFixed(1)},${place.at(values[j]).toFixed(1)} ${place.start(j + 1).toFixed(1)},${place.at(values[j]).toFixed(1)}`;
        const back = (values, j) => `${place.start(j + 1).toFixed(1)},${place.at(values[j]).toFixed(1)} ${place.start(j).toFixed(1)},${place.at(values[j]).toFixed(1)}`;
        defs.append(hatch(id, i));
        svg.append(drawn("polygon", {fill: `url(#${id})`, points: on[i].map((v, j) => edge(on[i], j)).join(" ") + " " +
            below.map((v, j) => back(below, j)).reverse().join(" ")}));
    });
}

function drawLines(spec, place, svg) {
    spec.series.forEach((s, i) => {
        for (const piece of pieces(s.values)) {
            const points = piece.map(([j, v]) => spec.x.edges ? `${place.start(j).toFixed(1)},${place.at(v).toFixed(1)} ${place.start(j + 1).toFixed(1)},${place.at(v).toFixed(1)}`
                : `${place.middle(j).toFixed(1)},${place.at(v).toFixed(1)}`);
            svg.append(drawn("polyline", {class: `edge ${colourOf(i)}`, "stroke-dasharray": turned(DASHES, i), points: points.join(" ")}));
        }
        if (!spec.x.edges && s.values.length <= 60)
            s.values.forEach((v, j) => v !== null && svg.append(drawn("path", {class: `mark ${colourOf(i)}`, d: turned(MARKS, i), transform: `translate(${place.middle(j).toFixed(1)} ${place.at(v).toFixed(1)})`})));
    });
}

/* Dash and mark, or hatching, before a name; then the value at the pointer. */
function legendOf(spec) {
    const legend = element("div", undefined, "legend");
    spec.series.forEach((s, i) => {
        const entry = element("span"), key = drawn("svg", {width: 26, height: 12, "aria-hidden": "true"});
        if (spec.stacked) {
            const id = `hatch${nHatches++}`;
            key.append(hatch(id, i), drawn("rect", {fill: `url(#${id})`, width: 26, height: 12}));
        } else {
            key.append(drawn("line", {class: `edge ${colourOf(i)}`, "stroke-dasharray": turned(DASHES, i), x1: 0, x2: 26, y1: 6, y2: 6}));
            if (!spec.x.edges) key.append(drawn("path", {class: `mark ${colourOf(i)}`, d: turned(MARKS, i), transform: "translate(13 6)"}));
        }
        entry.append(key, s.name + " ", element("b"));
        legend.append(entry);
    });
    return legend;
}

/* A chart that fills a box's width. together: charts that show the same place; say(i) is told which. */
function chart(spec, width, together, say) {
    const box = element("figure", undefined, "chart"), legend = legendOf(spec), place = placesIn(spec, width), n = spec.series[0].values.length;
    const svg = drawn("svg", {viewBox: `0 0 ${width} ${CHART.height}`, height: CHART.height, tabindex: 0, role: "img",
        "aria-label": `${spec.title}, ${spec.unit}; arrow keys move along it`});
    const caption = element("figcaption", spec.title + " ");
    caption.append(element("small", [spec.unit, place.y[0] !== 0 ? `the axis begins at ${compact(place.y[0])}` : ""].filter(Boolean).join("; ")));
    drawAxes(spec, place, svg);
    (spec.stacked ? drawStack : drawLines)(spec, place, svg);
    const at = drawn("line", {class: "at", y1: CHART.top, y2: place.bottom, x1: -9, x2: -9});
    svg.append(at);
    let chosen = -1;
    const move = i => {
        if (i < 0 || i >= n) return;
        together.forEach(show => show(i));
        say(i);
    };
    together.push(i => {
        chosen = i;
        at.setAttribute("x1", place.middle(i));
        at.setAttribute("x2", place.middle(i));
        legend.querySelectorAll("b").forEach((b, s) => b.textContent = exactly(spec.series[s].values[i]));
    });
    svg.addEventListener("pointermove", event => move(place.find(event.clientX - svg.getBoundingClientRect().left)));
    svg.addEventListener("keydown", event => {
        const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
        if (step === undefined) return;
        move(Math.min(n - 1, Math.max(0, chosen + step)));
        event.preventDefault();
    });
    box.append(caption, svg, legend);
    return box;
}
