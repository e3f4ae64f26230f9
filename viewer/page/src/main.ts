// The page of the viewer: what it is made of and how the parts are joined.

import * as THREE from "three";
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { download, figure, make } from "./dom";
import { exportPage } from "./export";
import { type Frame, History } from "./history";
import { Inspector } from "./inspector";
import { Matrices } from "./matrices";
import { Messages } from "./messages";
import { Plots } from "./plots";
import { Pointer, TOOLS, type Tool } from "./pointer";
import type { Answer, Control, Figures, FrameMessage, Items, Welcome, XmlAnswer } from "./protocol";
import { PROTOCOL } from "./protocol";
import { Recorder } from "./recorder";
import { type Axis, Stage } from "./stage";
import { type Command, RecordingTransport, SocketTransport, type Transport } from "./transport";

const SHOWN: Record<string, string> = {
    visual: "Visual models",
    behavior: "Meshes of bodies",
    springs: "Springs and loads",
    collision: "Collision models",
    wireframe: "Wireframe",
    normals: "Normals",
    forces: "Forces",
    velocities: "Velocities",
    contacts: "Contacts",
    fixed: "Fixed points",
    rois: "Regions of interest",
    frames: "Axes of rigid bodies",
    boxes: "Bounding boxes",
    labels: "Numbers of points",
    trails: "Trails",
    vectors: "Vector fields",
};
const SPEEDS: [string, number][] = [
    ["1/10", 0.1],
    ["1/4", 0.25],
    ["1/2", 0.5],
    ["real time", 1],
    ["2 ×", 2],
    ["as fast as it can", 0],
];
const KEYS: Record<string, number> = { ArrowLeft: 18, ArrowUp: 19, ArrowRight: 20, ArrowDown: 21 };
const MOST_BYTES = 256 << 20;

class Viewer {
    private readonly stage = new Stage();
    private readonly recording: boolean;
    private readonly history: History;
    private readonly inspector: Inspector;
    private readonly plots = new Plots();
    private readonly messages: Messages;
    private recorder!: Recorder;
    private items: Items = { type: "items", items: [] };
    private figures: Figures | null = null;
    private welcome: Welcome = { type: "welcome", protocol: PROTOCOL, settee: "", readOnly: true };
    private following = true; // the newest frame is shown
    private at = 0; // index of the frame that is shown otherwise
    private playingBack = false;
    private wanted = new Map<string, boolean>(); // what was switched by hand
    private readonly switches = new Map<string, HTMLInputElement>();

    private readonly title = make("h1", {}, "settee");
    private readonly status = make("span", { class: "status", role: "status" });
    private readonly note = make("div", { class: "note", role: "alert" });
    private readonly clock = make("output", { class: "clock", "aria-label": "Time and step" });
    private readonly play = this.button("Play", () => this.togglePlay(), "play or pause (space)");
    private readonly count = make("input", {
        type: "number",
        min: 1,
        max: 1000000,
        value: 10,
        "aria-label": "Number of steps",
    });
    private readonly speed = make("select", {
        "aria-label": "Speed",
        onchange: () => this.order({ do: "speed", factor: Number(this.speed.value) }),
    });
    private readonly dt = make("input", {
        type: "text",
        "aria-label": "dt",
        size: 6,
        onchange: () => this.order({ do: "set", path: "/", field: "dt", value: this.dt.value }),
    });
    private readonly timeline = make("input", {
        type: "range",
        min: 0,
        max: 0,
        value: 0,
        "aria-label": "Timeline",
        oninput: () => this.scrub(Number(this.timeline.value)),
    });
    private readonly color = make("input", {
        type: "text",
        list: "colors",
        placeholder: "vonMises, /Body/dofs.velocity, ...",
        "aria-label": "Field that colors the bodies",
        onchange: () => this.sendShown(),
    });
    private readonly keys = make("input", { type: "checkbox", name: "keys" });
    private readonly tabs = new Map<string, { tab: HTMLButtonElement; panel: HTMLElement }>();

    constructor(private readonly transport: Transport) {
        this.recording = !transport.live;
        this.history = new History(this.recording ? Infinity : MOST_BYTES);
        this.inspector = new Inspector({
            transport,
            readOnly: () => this.welcome.readOnly,
            selected: (path) => (this.stage.selected = path),
            watch: (path, field) => this.order({ do: "watch", path, field, index: 0, on: true }),
            say: (text, bad) => this.say(text, bad),
        });
        this.messages = new Messages(
            (path) => {
                this.openTab("Inspector");
                this.inspector.select(path);
            },
            (count) => {
                const tab = this.tabs.get("Messages");
                if (tab) tab.tab.textContent = count ? `Messages (${count})` : "Messages";
            },
        );
        this.build();
        this.listen();
        this.setTheme(window.matchMedia("(prefers-color-scheme: dark)").matches);
    }

    start(): void {
        this.transport.start({
            control: (message) => this.control(message),
            frame: (frame) => this.frame(frame),
            state: (connected, text) => {
                this.status.textContent = text;
                document.body.classList.toggle("lost", !connected);
            },
        });
    }

    // ---- the page

    private button(text: string, action: () => void, help = text): HTMLButtonElement {
        return make("button", { type: "button", title: help, onclick: action }, text);
    }

    private build(): void {
        for (const [name, factor] of SPEEDS)
            this.speed.append(make("option", { value: factor, selected: factor === 1 }, name));
        const live = this.recording
            ? [this.play]
            : [
                  this.play,
                  this.button("Step", () => this.order({ do: "step", count: 1 }), "one step (.)"),
                  make(
                      "span",
                      { class: "pair" },
                      this.count,
                      this.button("Steps", () => this.stepMany(), "make so many steps"),
                  ),
                  this.button("Reset", () => this.order({ do: "reset" }), "back to the initial state"),
                  this.button("Reload", () => this.reload(), "read the file again"),
                  make("label", {}, "Speed ", this.speed),
                  make("label", {}, "dt ", this.dt),
                  this.pointerTools(),
                  make(
                      "label",
                      { title: "what is typed goes to the controllers of the scene, not to the page" },
                      this.keys,
                      " Keys to scene",
                  ),
              ];
        const bar = make(
            "div",
            { class: "time", role: "toolbar", "aria-label": "Time" },
            ...live,
            this.timeline,
            this.clock,
        );
        const left = make("main", {}, this.stage.element, this.note, bar);
        const header = make("header", {}, this.title, this.status, make("span", { class: "space" }), this.fileTools());

        const tablist = make("div", { class: "tabs", role: "tablist" });
        const panels = make("div", { class: "panels" });
        const add = (name: string, panel: HTMLElement) => {
            const tab = make("button", { type: "button", role: "tab", onclick: () => this.openTab(name) }, name);
            panel.setAttribute("role", "tabpanel");
            panel.id = `panel-${name.toLowerCase()}`;
            tab.setAttribute("aria-controls", panel.id);
            this.tabs.set(name, { tab, panel });
            tablist.append(tab);
            panels.append(panel);
        };
        tablist.addEventListener("keydown", ({ key }) => {
            const names = [...this.tabs.keys()];
            const now = names.findIndex((name) => this.tabs.get(name)?.tab === document.activeElement);
            const move = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? names.length - 1 : 0;
            const next = names[(now + move) % names.length];
            if (!move || now < 0 || !next) return;
            this.openTab(next);
            this.tabs.get(next)?.tab.focus();
        });
        if (this.transport.live) add("Inspector", this.inspector.element);
        add("Show", this.showPanel());
        add("Plots", this.plots.element);
        if (this.transport.live) {
            add("Messages", this.messages.element);
            add("Matrices", new Matrices(this.transport).element);
        }
        const side = make("aside", {}, tablist, panels);
        document.getElementById("app")?.append(header, make("div", { class: "body" }, left, side));
        this.openTab(this.transport.live ? "Inspector" : "Show");
    }

    private pointerTools(): HTMLElement {
        const pointer = new Pointer(this.stage, this.transport, (text, bad) => this.say(text, bad));
        const help: Record<Tool, string> = {
            Pull: "drag bodies with the pointer; without it, with the Shift key held",
            Fix: "click: the nearest point is held where it is",
            Remove: "click: the element under the pointer is removed",
            Cut: "drag across a body: it is cut there",
        };
        const choose = (tool: Tool | null) => {
            pointer.tool = tool;
            for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(name === tool));
            this.stage.element.classList.toggle("tool", tool !== null);
        };
        const buttons = TOOLS.map((tool): [Tool, HTMLButtonElement] => [
            tool,
            this.button(tool, () => choose(pointer.tool === tool ? null : tool), help[tool]),
        ]);
        choose(null);
        const stiffness = make("input", {
            type: "text",
            size: 5,
            value: pointer.stiffness,
            title: "stiffness of the springs that pull and hold",
            "aria-label": "Stiffness of the pull",
            onchange: () => {
                pointer.stiffness = Math.max(0, Number(stiffness.value) || 0);
                stiffness.value = String(pointer.stiffness);
            },
        });
        const free = this.button(
            "Free",
            () => this.order({ do: "unfix" }),
            "let go of all points that were fixed here",
        );
        return make("span", { class: "pair" }, ...buttons.map(([, button]) => button), free, stiffness);
    }

    private recordTools(): HTMLElement {
        const stop = () => {
            record.textContent = "Record";
            record.setAttribute("aria-pressed", "false");
            this.recorder
                .stop()
                .then(({ name, file, about }) => {
                    download(name, file);
                    this.say(`recorded ${about}, ${figure(file.size / 1e6)} MB`, false);
                })
                .catch((error: Error) => this.say(error.message, true));
        };
        const record = this.button(
            "Record",
            () => {
                if (this.recorder.running) return stop();
                try {
                    this.recorder.start();
                } catch (error) {
                    return this.say(error instanceof Error ? error.message : String(error), true);
                }
                record.textContent = "Stop recording";
                record.setAttribute("aria-pressed", "true");
            },
            "record what is shown, as a video or as pictures in one archive",
        );
        this.recorder = new Recorder(this.stage.canvas, stop);
        this.stage.drawn = () => this.recorder.take();
        return make("span", { class: "pair" }, record, this.recorder.format);
    }

    private fileTools(): HTMLElement {
        const tools = make("span", { class: "tools" });
        tools.append(
            this.button("Picture", () => this.savePicture(), "save the picture as PNG"),
            this.recordTools(),
        );
        if (this.transport.live)
            tools.append(
                this.button(
                    "Export HTML",
                    () => void this.exportHtml(),
                    "save the frames as a page that plays anywhere",
                ),
                this.button("Copy XML", () => this.copyXml(), "copy the changed scene as text"),
                this.button("Save XML", () => this.saveXml(), "save the changed scene as a .scn file"),
            );
        tools.append(this.button("Light or dark", () => this.setTheme(!document.body.classList.contains("dark"))));
        return tools;
    }

    private showPanel(): HTMLElement {
        const panel = make("section", { class: "show", "aria-label": "What is shown" });
        if (this.transport.live) {
            const list = make("fieldset", {}, make("legend", {}, "Show"));
            for (const [word, text] of Object.entries(SHOWN)) {
                const box = make("input", {
                    type: "checkbox",
                    name: word,
                    onchange: () => this.switchShown(word, box.checked),
                });
                this.switches.set(word, box);
                list.append(make("label", {}, box, ` ${text}`));
            }
            const names = make("datalist", { id: "colors" });
            for (const name of ["vonMises", "strain", "youngModulus"]) names.append(make("option", { value: name }));
            panel.append(list, make("label", { class: "wide" }, "Colored by ", this.color, names));
        }

        const views = make("fieldset", {}, make("legend", {}, "Camera"));
        const along = (name: string, x: number, y: number, z: number) =>
            views.append(this.button(name, () => this.stage.fit(new THREE.Vector3(x, y, z)), `look along ${name}`));
        views.append(this.button("Fit", () => this.stage.fit(), "all of the scene (f)"));
        if (this.transport.live)
            views.append(this.button("Selected", () => this.stage.fit(undefined, this.nodeOf(this.stage.selected))));
        along("+x", 1, 0, 0);
        along("-x", -1, 0, 0);
        along("+y", 0, 1, 0);
        along("-y", 0, -1, 0);
        along("+z", 0, 0, 1);
        along("-z", 0, 0, -1);
        views.append(
            this.button("Scene's camera", () => {
                if (!this.stage.useSceneCamera()) this.say("the scene has no camera of its own", false);
            }),
        );
        const flat = make("input", {
            type: "checkbox",
            name: "orthographic",
            onchange: () => this.stage.setOrthographic(flat.checked),
        });
        const wires = make("input", {
            type: "checkbox",
            name: "wires",
            onchange: () => this.stage.setWireframe(wires.checked),
        });
        views.append(make("label", {}, flat, " Orthographic"), make("label", {}, wires, " Wires of surfaces"));

        const axis = make("select", { "aria-label": "Clipping axis" });
        for (const name of ["off", "x", "y", "z"]) axis.append(make("option", { value: name }, name));
        const at = make("input", {
            type: "range",
            min: 0,
            max: 1,
            step: 0.01,
            value: 0.5,
            "aria-label": "Clipping position",
        });
        const clip = () =>
            this.stage.setClip(axis.value === "off" ? null : { axis: axis.value as Axis, at: Number(at.value) });
        axis.addEventListener("change", clip);
        at.addEventListener("input", clip);
        panel.append(views, make("fieldset", {}, make("legend", {}, "Clipping plane"), axis, at));
        return panel;
    }

    private nodeOf(path: string): string {
        return path.slice(0, path.lastIndexOf("/")) || "/";
    }

    private openTab(name: string): void {
        for (const [other, { tab, panel }] of this.tabs) {
            tab.setAttribute("aria-selected", String(other === name));
            tab.tabIndex = other === name ? 0 : -1; // the arrows reach the others
            panel.hidden = other !== name;
        }
        this.plots.show(name === "Plots");
    }

    private setTheme(dark: boolean): void {
        document.body.classList.toggle("dark", dark);
        this.stage.setBackground(dark ? "#1c1f24" : "#f4f5f7");
    }

    private listen(): void {
        for (const down of [true, false])
            document.addEventListener(down ? "keydown" : "keyup", (event) => this.passKey(event, down));
        document.addEventListener("keydown", (event) => {
            const target = event.target as HTMLElement;
            if (
                this.keys.checked ||
                ["INPUT", "SELECT", "TEXTAREA", "BUTTON"].includes(target.tagName) ||
                event.ctrlKey ||
                event.metaKey
            )
                return;
            if (event.key === " ") this.togglePlay();
            else if (event.key === "." && this.transport.live) this.order({ do: "step", count: 1 });
            else if (event.key === "f") this.stage.fit();
            else return;
            event.preventDefault();
        });
        this.stage.canvas.addEventListener("dblclick", (event) => {
            const path = this.stage.pick(event.clientX, event.clientY);
            if (!path || !this.transport.live) return;
            this.openTab("Inspector");
            this.inspector.select(path);
        });
    }

    /** Keys for the controllers of the scene, as SOFA numbers them. */
    private passKey(event: KeyboardEvent, down: boolean): void {
        const target = event.target as HTMLElement;
        if (!this.keys.checked || this.keys.disabled || event.repeat || event.altKey || event.metaKey) return;
        if (["INPUT", "SELECT", "TEXTAREA"].includes(target.tagName) && target !== this.keys) return;
        const code = KEYS[event.key] ?? (event.key.length === 1 ? event.key.toUpperCase().codePointAt(0) : undefined);
        if (code === undefined || (target === this.keys && event.key === " ")) return;
        this.order({ do: "key", code, down });
        event.preventDefault();
    }

    private say(text: string, bad: boolean): void {
        this.note.textContent = text;
        this.note.classList.toggle("bad", bad);
    }

    // ---- commands

    private order(command: Command): void {
        this.transport
            .ask<Answer>(command)
            .then((answer) => this.say(answer.ok ? "" : (answer.error ?? "refused"), !answer.ok))
            .catch((error: Error) => this.say(error.message, true));
    }

    private togglePlay(): void {
        if (this.recording) {
            this.playingBack = !this.playingBack;
            if (this.playingBack && this.at >= this.history.frames.length - 1) this.at = 0;
            this.play.textContent = this.playingBack ? "Pause" : "Play";
            if (this.playingBack) this.playBack(performance.now(), this.history.frames[this.at]?.time ?? 0);
            return;
        }
        this.following = true;
        this.order({ do: this.figures?.playing ? "pause" : "play" });
    }

    /** Frames of a recording at the pace of their times. */
    private playBack(start: number, from: number): void {
        if (!this.playingBack) return;
        const time = from + (performance.now() - start) / 1000;
        const { frames } = this.history;
        while (this.at < frames.length - 1 && (frames[this.at + 1]?.time ?? Infinity) <= time) this.at++;
        this.showAt(this.at);
        if (this.at < frames.length - 1) window.requestAnimationFrame(() => this.playBack(start, from));
        else {
            this.playingBack = false;
            this.play.textContent = "Play";
        }
    }

    private stepMany(): void {
        this.following = true;
        this.order({ do: "step", count: Math.max(1, Math.round(Number(this.count.value) || 1)) });
    }

    private reload(): void {
        this.wanted.clear();
        this.order({ do: "reload" });
    }

    private switchShown(word: string, on: boolean): void {
        this.wanted.set(word, on);
        this.sendShown();
    }

    private sendShown(): void {
        const words = [...this.wanted].map(([word, on]) => (on ? word : `no-${word}`)).join(",");
        this.order({ do: "show", words, color: this.color.value.trim() });
    }

    private savePicture(): void {
        this.stage.canvas.toBlob((blob) => {
            if (blob) download("settee.png", blob);
        });
    }

    private async exportHtml(): Promise<void> {
        try {
            const answer = await fetch(window.location.href, { cache: "no-store" });
            if (!answer.ok) throw new Error(`the page cannot be read again: ${answer.status}`);
            const page = await exportPage(await answer.text(), this.history.frames, this.welcome);
            download("settee.html", page);
            this.say(`exported ${this.history.frames.length} frames, ${figure(page.size / 1e6)} MB`, false);
        } catch (error) {
            this.say(error instanceof Error ? error.message : String(error), true);
        }
    }

    /** The changed scene as text, for something; what it says afterwards. */
    private withXml(use: (xml: string) => Promise<string>): void {
        this.transport
            .ask<XmlAnswer>({ do: "xml" })
            .then(async (answer) => {
                if (!answer.ok) throw new Error(answer.error);
                this.say(await use(answer.xml), false);
            })
            .catch((error: Error) => this.say(error.message, true));
    }

    private saveXml(): void {
        this.withXml(async (xml) => {
            download("scene.scn", new Blob([xml], { type: "application/xml" }));
            return "saved scene.scn";
        });
    }

    private copyXml(): void {
        this.withXml(async (xml) => {
            if (!navigator.clipboard)
                throw new Error("this browser copies at 127.0.0.1 or over HTTPS only: use Save XML");
            await navigator.clipboard.writeText(xml);
            return `copied ${xml.split("\n").length} lines`;
        });
    }

    // ---- what comes

    private control(message: Exclude<Control, Answer>): void {
        switch (message.type) {
            case "welcome":
                return this.begin(message);
            case "items":
                this.items = message;
                return;
            case "figures":
                return this.takeFigures(message);
            case "message":
                return this.messages.add(message);
            case "cleared":
                return this.messages.clear();
        }
    }

    private begin(welcome: Welcome): void {
        if (welcome.protocol !== PROTOCOL)
            this.say(`the server speaks protocol ${welcome.protocol}, this page ${PROTOCOL}`, true);
        this.welcome = welcome;
        this.history.forget();
        this.messages.clear();
        this.inspector.forget();
        document.body.classList.toggle("read-only", welcome.readOnly);
        if (this.recording || !welcome.readOnly) return;
        for (const control of [this.play, this.count, this.speed, this.dt, this.keys]) control.disabled = true;
        for (const button of document.querySelectorAll<HTMLButtonElement>(".time button")) button.disabled = true;
        this.status.textContent = "connected, read-only";
    }

    private takeFigures(figures: Figures): void {
        const before = this.figures;
        if (before && figures.step < before.step) this.history.clear();
        this.figures = figures;
        this.plots.add(figures);
        if (this.recording) return;

        this.title.textContent = figures.scene;
        document.title = `${figures.scene} - settee`;
        this.play.textContent = figures.playing ? "Pause" : "Play";
        if (document.activeElement !== this.dt) this.dt.value = String(figures.dt);
        if (document.activeElement !== this.speed) this.speed.value = String(figures.speed);
        if (document.activeElement !== this.color) this.color.value = figures.color;
        for (const [word, box] of this.switches) box.checked = figures.shown.includes(word);
        if (figures.failure) this.say(figures.failure, true);
        this.inspector.follow(figures.structure);
    }

    private frame(message: FrameMessage): void {
        this.history.add(message, this.items, this.figures);
        const last = this.history.frames.length - 1;
        this.timeline.max = String(last);
        if (this.recording) {
            if (last === 0) this.showAt(0);
            return;
        }
        if (this.following) this.showAt(last);
    }

    private scrub(index: number): void {
        this.following = !this.recording && index >= this.history.frames.length - 1;
        this.playingBack = false;
        if (this.recording) this.play.textContent = "Play";
        this.showAt(index);
    }

    private showAt(index: number): void {
        const frame: Frame | undefined = this.history.frames[index];
        if (!frame) return;
        this.at = index;
        this.timeline.value = String(index);
        this.stage.show(frame);
        const step = frame.figures ? `step ${frame.figures.step}` : "";
        this.clock.textContent = `t = ${figure(frame.time)} s  ${step}${this.following ? "" : `  (frame ${index + 1} of ${this.history.frames.length})`}`;
        if (this.recording && frame.figures) this.title.textContent = frame.figures.scene;
    }
}

const recording = document.getElementById("recording")?.textContent;
const address = new URL(window.location.href);
const socket = `${address.protocol === "https:" ? "wss" : "ws"}://${address.host}/live${address.search}`;
new Viewer(recording ? new RecordingTransport(recording) : new SocketTransport(socket)).start();
