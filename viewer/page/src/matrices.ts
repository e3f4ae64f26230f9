// Matrices as spy plots: the whole of one, then smaller parts down to single values.

import { figure, make } from "./dom";
import type { FiguresAnswer, KeepAnswer, MatrixAnswer, MatrixMessage } from "./protocol";
import type { Transport } from "./transport";

interface Window {
    row: number;
    rows: number;
    column: number;
    columns: number;
}

const ALL: Window = { row: 0, rows: 0, column: 0, columns: 0 };
const VALUES = 12; // rows that are written as numbers

export class Matrices {
    readonly element = make("section", { class: "matrices", "aria-label": "Matrices" });
    private readonly which = make("select", { "aria-label": "Matrix", onchange: () => this.load(ALL) });
    private readonly where = make("input", {
        type: "text",
        placeholder: "component (empty: the whole system)",
        "aria-label": "Component of the matrix",
        onchange: () => this.load(ALL),
    });
    private readonly minus = make("input", { type: "checkbox", name: "minus", onchange: () => this.load(ALL) });
    private readonly canvas = make("canvas", { width: 400, height: 400, tabindex: 0, role: "img" });
    private readonly about = make("p", { class: "about", role: "status" });
    private readonly values = make("table", {});
    private shown: MatrixAnswer | null = null;
    private cells: MatrixMessage | null = null;

    constructor(private readonly transport: Transport) {
        for (const name of ["A", "M", "B", "K", "J", "W", "H"])
            this.which.append(make("option", { value: name }, name));
        const button = (text: string, action: () => void) => make("button", { type: "button", onclick: action }, text);
        this.canvas.addEventListener("click", (event) => this.zoom(event));
        this.canvas.addEventListener("mousemove", (event) => this.point(event));
        this.element.append(
            make("div", { class: "row" }, this.which, this.where),
            make(
                "div",
                { class: "row" },
                button("Show", () => this.load(ALL)),
                button("Zoom out", () => this.zoomOut()),
                button("Figures", () => this.figures()),
            ),
            make(
                "div",
                { class: "row" },
                button("Keep", () => this.keep()),
                make("label", {}, this.minus, " Difference to what was kept"),
            ),
            this.canvas,
            this.about,
            make("div", { class: "scroll" }, this.values),
        );
    }

    /** The server keeps the matrix as it is now, for a comparison after some steps. */
    private keep(): void {
        this.transport
            .ask<KeepAnswer>({ do: "keep", ...this.name() })
            .then((answer) => {
                if (!answer.ok) throw new Error(answer.error);
                this.about.textContent = `kept as it is at t = ${figure(answer.time)} s: make steps, and check Difference`;
            })
            .catch((error: unknown) => this.fail(error));
    }

    private name(): { which: string; path: string } {
        return { which: this.which.value, path: this.where.value.trim() };
    }

    private fail(error: unknown): void {
        this.about.textContent = error instanceof Error ? error.message : String(error);
    }

    private load(window: Window): void {
        this.transport
            .askMatrix<MatrixAnswer>({
                do: "matrix",
                ...this.name(),
                ...window,
                minus: this.minus.checked,
                height: 400,
                width: 400,
            })
            .then(([answer, cells]) => {
                if (!answer.ok || !cells) throw new Error(answer.error ?? "there is no such matrix");
                this.shown = answer;
                this.cells = cells;
                this.draw();
            })
            .catch((error: unknown) => this.fail(error));
    }

    private draw(): void {
        const { shown, cells } = this;
        const pen = this.canvas.getContext("2d");
        if (!shown || !cells || !pen) return;
        const size = this.canvas.width;
        const largest = cells.cells.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

        // white is zero; blue and red are positive and negative, dark is large, to a millionth of the largest
        pen.fillStyle = "white";
        pen.fillRect(0, 0, size, size);
        const h = size / cells.height;
        const w = size / cells.width;
        let count = 0;
        cells.cells.forEach((value, at) => {
            if (value === 0) return;
            count++;
            const depth = Math.max(0, 1 + Math.log10(Math.abs(value) / largest) / 6);
            pen.fillStyle = `hsl(${value > 0 ? 215 : 5} 80% ${85 - 60 * depth}%)`;
            pen.fillRect((at % cells.width) * w, Math.floor(at / cells.width) * h, Math.max(1, w), Math.max(1, h));
        });
        this.about.textContent =
            `${shown.matrixRows} × ${shown.matrixColumns}; rows ${shown.row} to ${shown.row + shown.rows - 1}, ` +
            `columns ${shown.column} to ${shown.column + shown.columns - 1}; ${count} of ${cells.cells.length} cells, ` +
            `largest ${figure(largest)}` +
            (shown.since === undefined ? "" : `; difference to t = ${figure(shown.since)} s`);
        this.canvas.setAttribute("aria-label", this.about.textContent);
        this.list();
    }

    /** Single values, once few enough are shown. */
    private list(): void {
        const { shown, cells } = this;
        this.values.replaceChildren();
        if (!shown || !cells || shown.rows > VALUES || shown.columns > VALUES) return;
        const head = make("tr", {}, make("th", {}));
        for (let k = 0; k < shown.columns; k++)
            head.append(make("th", { title: shown.columnNames?.[k] ?? "" }, String(shown.column + k)));
        this.values.append(head);
        for (let i = 0; i < shown.rows; i++) {
            const row = make("tr", {}, make("th", {}, shown.rowNames?.[i] ?? String(shown.row + i)));
            for (let k = 0; k < shown.columns; k++)
                row.append(make("td", {}, figure(cells.cells[i * shown.columns + k] ?? 0)));
            this.values.append(row);
        }
    }

    private place(event: MouseEvent): [number, number] {
        const bounds = this.canvas.getBoundingClientRect();
        return [(event.clientX - bounds.left) / bounds.width, (event.clientY - bounds.top) / bounds.height];
    }

    /** A quarter of the sides, around the point that was clicked. */
    private zoom(event: MouseEvent): void {
        const { shown } = this;
        if (!shown) return;
        const [x, y] = this.place(event);
        const part = (start: number, length: number, most: number, t: number): [number, number] => {
            const size = Math.max(Math.min(length, 8), Math.ceil(length / 4));
            const at = Math.round(start + t * length - size / 2);
            return [Math.max(0, Math.min(at, most - size)), size];
        };
        const [row, rows] = part(shown.row, shown.rows, shown.matrixRows, y);
        const [column, columns] = part(shown.column, shown.columns, shown.matrixColumns, x);
        this.load({ row, rows, column, columns });
    }

    private zoomOut(): void {
        const { shown } = this;
        if (!shown) return;
        const grow = (start: number, length: number, most: number): [number, number] => {
            const size = Math.min(most, 4 * length);
            return [Math.max(0, Math.min(Math.round(start + length / 2 - size / 2), most - size)), size];
        };
        const [row, rows] = grow(shown.row, shown.rows, shown.matrixRows);
        const [column, columns] = grow(shown.column, shown.columns, shown.matrixColumns);
        this.load({ row, rows, column, columns });
    }

    private point(event: MouseEvent): void {
        const { shown, cells } = this;
        if (!shown || !cells) return;
        const [x, y] = this.place(event);
        const i = Math.min(cells.height - 1, Math.floor(y * cells.height));
        const k = Math.min(cells.width - 1, Math.floor(x * cells.width));
        const row = shown.row + Math.floor((i * shown.rows) / cells.height);
        const column = shown.column + Math.floor((k * shown.columns) / cells.width);
        const names = [shown.rowNames?.[row - shown.row], shown.columnNames?.[column - shown.column]];
        const where = names[0] && names[1] ? ` (${names[0]}; ${names[1]})` : "";
        this.canvas.title = `row ${row}, column ${column}${where}: ${figure(cells.cells[i * cells.width + k] ?? 0)}`;
    }

    private figures(): void {
        this.transport
            .ask<FiguresAnswer>({ do: "figures", ...this.name() })
            .then((f) => {
                if (!f.ok) throw new Error(f.error);
                const parts = [
                    `${f.matrixRows} × ${f.matrixColumns}, ${f.entries} entries`,
                    `norm ${figure(f.norm)}`,
                    f.symmetric ? "symmetric" : "not symmetric",
                    `bandwidth ${f.bandwidth}`,
                    `${f.zeroRows} empty rows`,
                ];
                if (f.factored) parts.push(`condition ${f.condition ? figure(f.condition) : "unknown"}`);
                if (f.positive + f.negative > 0)
                    parts.push(`${f.positive} positive, ${f.negative} negative eigenvalues`);
                this.about.textContent = parts.join("; ");
            })
            .catch((error: unknown) => this.fail(error));
    }
}
