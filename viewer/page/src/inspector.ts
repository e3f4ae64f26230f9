// The tree of nodes and components, and the fields of the one that is selected.

import { make } from "./dom";
import type { Field, FieldsAnswer, GraphAnswer, SceneNode, SetAnswer } from "./protocol";
import type { Transport } from "./transport";

export interface InspectorHost {
    transport: Transport;
    readOnly(): boolean;
    selected(path: string): void;
    watch(path: string, field: string): void;
    say(text: string, bad: boolean): void;
}

export class Inspector {
    readonly element = make("section", { class: "inspector", "aria-label": "Inspector" });
    private readonly search = make("input", {
        type: "search",
        placeholder: "Search nodes and components",
        "aria-label": "Search nodes and components",
        oninput: () => this.listTree(),
    });
    private readonly tree = make("ul", { class: "tree", role: "tree", "aria-label": "Scene graph" });
    private readonly head = make("div", { class: "head" });
    private readonly rows = make("div", { class: "fields" });
    private nodes: SceneNode[] = [];
    private structure = -1;
    private asked = -1;
    path = "/";

    constructor(private readonly host: InspectorHost) {
        this.element.append(this.search, this.tree, this.head, this.rows);
        this.tree.addEventListener("keydown", (event) => {
            const buttons = [...this.tree.querySelectorAll("button")];
            const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
            const now = buttons.findIndex((button) => button === document.activeElement);
            if (!move || now < 0) return;
            buttons[now + move]?.focus();
            event.preventDefault();
        });
    }

    /** Asks for the graph again when its structure has changed. */
    follow(structure: number): void {
        if (structure === this.asked) return;
        this.asked = structure;
        this.host.transport
            .ask<GraphAnswer>({ do: "graph" })
            .then((answer) => {
                this.nodes = answer.nodes;
                const first = this.structure < 0;
                this.structure = answer.structure;
                this.listTree();
                if (first) this.select(this.path);
            })
            .catch((error: Error) => this.host.say(error.message, true));
    }

    forget(): void {
        this.structure = this.asked = -1;
    }

    private listTree(): void {
        const words = this.search.value.trim().toLowerCase();
        const entries: HTMLElement[] = [];
        for (const node of this.nodes) {
            const objects = node.objects.filter(
                (o) => !words || `${o.name} ${o.class} ${o.path}`.toLowerCase().includes(words),
            );
            if (words && objects.length === 0 && !node.name.toLowerCase().includes(words)) continue;
            entries.push(this.entry(node.path, node.name || "root", "node", node.depth, true));
            for (const o of objects)
                entries.push(
                    this.entry(
                        o.path,
                        o.name,
                        o.template ? `${o.class}<${o.template}>` : o.class,
                        node.depth + 1,
                        o.valid,
                    ),
                );
        }
        this.tree.replaceChildren(...entries);
    }

    private entry(path: string, name: string, kind: string, depth: number, valid: boolean): HTMLElement {
        const button = make(
            "button",
            { type: "button", title: path, onclick: () => this.select(path) },
            make("span", { class: kind === "node" ? "node" : "object" }, name),
            make("span", { class: "class" }, kind === "node" ? "" : kind),
        );
        if (!valid) button.classList.add("invalid");
        const item = make(
            "li",
            { role: "treeitem", "data-path": path, "aria-selected": String(path === this.path) },
            button,
        );
        item.style.paddingLeft = `${depth * 0.9}em`;
        return item;
    }

    select(path: string): void {
        this.path = path;
        for (const item of this.tree.children)
            item.setAttribute("aria-selected", String(item.getAttribute("data-path") === path));
        this.tree.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
        this.host.selected(path);
        this.refresh();
    }

    /** Reads the fields of what is selected again. */
    refresh(): void {
        const path = this.path;
        this.host.transport
            .ask<FieldsAnswer>({ do: "fields", path })
            .then((answer) => {
                if (path !== this.path) return;
                if (answer.ok) this.listFields(answer);
                else this.host.say(answer.error ?? "", true);
            })
            .catch((error: Error) => this.host.say(error.message, true));
    }

    private listFields(answer: FieldsAnswer): void {
        const kind = answer.template ? `${answer.class}<${answer.template}>` : answer.class;
        const place = answer.file ? `${answer.file.split("/").pop()}:${answer.line}` : "";
        this.head.replaceChildren(
            make("h2", {}, answer.name || "root"),
            make("div", { class: "class" }, kind),
            make("div", { class: "place" }, `${answer.path}  ${place}`),
            make("button", { type: "button", onclick: () => this.refresh() }, "Read again"),
        );
        this.rows.replaceChildren(...answer.fields.map((field) => this.row(answer.path, field)));
    }

    private row(path: string, field: Field): HTMLElement {
        const note = make("div", { class: "note", role: "alert" });
        const id = `field-${field.name}`;
        const row = make("div", { class: field.set ? "field set" : "field", "data-field": field.name });
        const label = make("label", { for: id, title: `${field.type}. ${field.help}` }, field.name);
        const tools = make("span", { class: "tools" });

        // links can be followed, numbers plotted
        const link = field.target ?? field.source;
        if (link) {
            const name = field.source ? `${link}.${field.sourceField ?? ""}` : link;
            tools.append(
                make("button", { type: "button", title: `go to ${name}`, onclick: () => this.select(link) }, "→"),
            );
        }
        if (field.number && field.count > 0)
            tools.append(
                make(
                    "button",
                    { type: "button", title: "plot against time", onclick: () => this.host.watch(path, field.name) },
                    "plot",
                ),
            );
        row.append(make("div", { class: "name" }, label, tools), this.editor(path, field, id, note), note);

        const about = [field.help, field.default && `default ${field.default}`, field.live].filter(Boolean).join(" · ");
        row.append(make("div", { class: "help" }, about));
        return row;
    }

    private editor(path: string, field: Field, id: string, note: HTMLElement): HTMLElement {
        const fixed = field.output || field.cut || this.host.readOnly();
        let before = field.value;
        const set = (input: { value: string }) => {
            if (input.value === before) return;
            this.host.transport
                .ask<SetAnswer>({ do: "set", path, field: field.name, value: input.value })
                .then((answer) => {
                    note.textContent = answer.ok ? "" : (answer.error ?? "refused");
                    if (answer.value !== undefined) input.value = before = answer.value;
                })
                .catch((error: Error) => (note.textContent = error.message));
        };
        if (field.options && !fixed) {
            const names = field.options.includes(field.value) ? field.options : [field.value, ...field.options];
            const choice = make("select", { id, onchange: () => set(choice) });
            for (const name of names)
                choice.append(make("option", { value: name, selected: name === field.value }, name));
            return choice;
        }
        const box = make("input", {
            id,
            type: "text",
            value: field.value,
            spellcheck: "false",
            onchange: () => set(box),
        });
        box.readOnly = fixed;
        if (field.cut) box.title = `${field.count} elements; the first ones are shown`;
        return box;
    }
}
