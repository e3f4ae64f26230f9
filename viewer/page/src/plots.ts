// Curves against time: energies, contacts, time per step and phase, and any field that is watched.

import uPlot from "uplot";
import { download, make } from "./dom";
import type { Figures } from "./protocol";

const COLORS = ["#2f7fd1", "#d1662f", "#3a9d5d", "#a04fb8", "#c2a02b", "#4fa7b0", "#b84f6c", "#7c7c7c"];
const MOST = 3000;

class Chart {
    readonly element: HTMLElement;
    private readonly holder = make("div", { class: "holder" });
    private names: string[] = [];
    private data: (number | null)[][] = [[]];
    private chart: uPlot | null = null;

    constructor(
        readonly title: string,
        unit: string,
        private readonly logarithmic = false,
    ) {
        this.element = make(
            "figure",
            { class: "chart", "data-chart": title },
            make("figcaption", {}, `${title} (${unit})`),
            this.holder,
        );
    }

    get points(): number {
        return this.data[0]?.length ?? 0;
    }

    add(time: number, values: Record<string, number | null>): void {
        for (const name of Object.keys(values))
            if (!this.names.includes(name)) {
                this.names.push(name);
                this.data.push(new Array<null>(this.points).fill(null));
                this.chart?.destroy();
                this.chart = null;
            }
        this.data[0]?.push(time);
        this.names.forEach((name, i) => this.data[i + 1]?.push(values[name] ?? null));
        if (this.points > MOST) for (const column of this.data) column.splice(0, this.points - MOST);
    }

    clear(): void {
        this.names = [];
        this.data = [[]];
        this.chart?.destroy();
        this.chart = null;
    }

    draw(): void {
        const width = Math.max(100, this.holder.clientWidth);
        const text = getComputedStyle(this.holder).color;
        const axis = { stroke: text, grid: { stroke: "#8884" }, ticks: { stroke: "#8884" }, font: "11px sans-serif" };
        this.chart ??= new uPlot(
            {
                width,
                height: 150,
                scales: { x: { time: false }, y: { distr: this.logarithmic ? 3 : 1 } },
                axes: [axis, { ...axis, size: 60 }],
                series: [
                    { label: "time" },
                    ...this.names.map((label, i) => ({
                        label,
                        stroke: COLORS[i % COLORS.length] ?? "gray",
                        width: 1.5,
                    })),
                ],
            },
            this.data as uPlot.AlignedData,
            this.holder,
        );
        if (this.chart.width !== width) this.chart.setSize({ width, height: 150 });
        this.chart.setData(this.data as uPlot.AlignedData);
    }

    rows(): string[][] {
        return [
            ["chart", "time", ...this.names],
            ...(this.data[0] ?? []).map((time, row) => [
                this.title,
                String(time),
                ...this.names.map((_, i) => String(this.data[i + 1]?.[row] ?? "")),
            ]),
        ];
    }
}

export class Plots {
    readonly element = make("section", { class: "plots", "aria-label": "Plots" });
    private readonly energies = new Chart("Energies", "J");
    private readonly contacts = new Chart("Contacts", "number");
    private readonly iterations = new Chart("Iterations", "number, by solver");
    private readonly residuals = new Chart("Residuals", "relative, or what is left, by solver", true);
    private readonly phases = new Chart("Time per step", "ms, by phase");
    private readonly watched = new Chart("Watched fields", "value");
    private readonly charts = [
        this.energies,
        this.contacts,
        this.iterations,
        this.residuals,
        this.phases,
        this.watched,
    ];
    private last: Figures | null = null;
    private shown = false;

    constructor() {
        this.element.append(
            make(
                "div",
                { class: "row" },
                make("button", { type: "button", onclick: () => this.save() }, "Save as CSV"),
                make("button", { type: "button", onclick: () => this.clear() }, "Clear plots"),
            ),
            ...this.charts.map((chart) => chart.element),
        );
    }

    add(figures: Figures): void {
        const before = this.last;
        if (before && figures.step < before.step) this.clear();
        if (before && figures.step === before.step && figures.time === before.time) {
            this.last = figures;
            return;
        }
        const { time, kinetic, potential } = figures;
        const total = kinetic !== null && potential !== null ? kinetic + potential : null;
        this.energies.add(time, { kinetic, potential, total });
        this.contacts.add(time, { contacts: figures.contacts });
        const solvers = figures.solvers ?? [];
        if (solvers.length) {
            this.iterations.add(time, Object.fromEntries(solvers.map((s) => [s.path, s.iterations])));
            this.residuals.add(time, Object.fromEntries(solvers.map((s) => [s.path, s.residual || null])));
        }
        if (before && figures.step > before.step) this.phases.add(time, this.spent(before, figures));
        if (figures.watched.length)
            this.watched.add(
                time,
                Object.fromEntries(figures.watched.map((w) => [`${w.path}.${w.field}[${w.index}]`, w.value])),
            );
        this.last = figures;
        if (this.shown) this.draw();
    }

    /** Milliseconds per step in each phase since the figures before. */
    private spent(before: Figures, figures: Figures): Record<string, number> {
        const steps = figures.step - before.step;
        const spent: Record<string, number> = {};
        if (figures.busy > 0) spent["all"] = (1000 * (figures.busy - before.busy)) / steps;
        for (const [name, seconds] of Object.entries(figures.profile))
            spent[name] = (1000 * (seconds - (before.profile[name] ?? 0))) / steps;
        return spent;
    }

    show(on: boolean): void {
        this.shown = on;
        if (on) this.draw();
    }

    private draw(): void {
        for (const chart of this.charts) {
            chart.element.hidden = chart.points === 0;
            if (chart.points > 0) chart.draw();
        }
    }

    clear(): void {
        for (const chart of this.charts) chart.clear();
        if (this.shown) this.draw();
    }

    private save(): void {
        const lines = this.charts.filter((chart) => chart.points > 0).flatMap((chart) => chart.rows());
        const quote = (cell: string) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
        const text = lines.map((row) => row.map(quote).join(",")).join("\n");
        download("plots.csv", new Blob([text, "\n"], { type: "text/csv" }));
    }
}
