/** The page: its rooms, and its state as a link. */

import { render, type ComponentType } from "preact";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { isServed, runs } from "./engine/engines";
import type { Question } from "./engine/answers";
import { fromFragment, toFragment } from "./link";
import { isLinked, type Linked, type RoomName } from "./state";

interface RoomModule {
  Room: ComponentType<{ state: never; onChange(state: unknown): void }>;
  read(linked: Linked): unknown;
}

const TITLES: [RoomName, string][] = [
  ["policies", "Queues"],
  ["caches", "Caches"],
  ["networks", "Networks"],
  ["attacks", "Attacks"],
];

const LOADERS: Record<RoomName, () => Promise<RoomModule>> = {
  policies: async () => {
    const { PoliciesRoom } = await import("./rooms/policies/room");
    const { readPolicies } = await import("./rooms/policies/question");
    return { Room: PoliciesRoom as RoomModule["Room"], read: readPolicies as RoomModule["read"] };
  },
  caches: async () => {
    const { CachesRoom, readCaches } = await import("./rooms/caches/room");
    return { Room: CachesRoom as RoomModule["Room"], read: readCaches as RoomModule["read"] };
  },
  networks: async () => scenarioRoom("networks"),
  attacks: async () => scenarioRoom("attacks"),
  scenario: async () => scenarioRoom("scenario"),
};

async function scenarioRoom(room: "networks" | "attacks" | "scenario"): Promise<RoomModule> {
  const { ScenarioRoom, readScenario } = await import("./rooms/scenario/room");
  return { Room: ScenarioRoom as RoomModule["Room"], read: (linked) => readScenario(room, linked as never) };
}

/** A link with a scenario is shown as text in every room. */
function roomOf(linked: Linked): RoomName {
  const isText = typeof linked.scenario === "string";
  return isText && (linked.room === "policies" || linked.room === "caches") ? "scenario" : linked.room;
}

const INTRODUCTIONS: Record<RoomName, string> = {
  policies: "Two policies decide about the same packets: which one waits, which one is dropped, which one goes next. Choose two, change their text, and see what differs.",
  caches: "Cache policies on the same requests. A fetch takes time, and requests that arrive during it wait for the rest of it: delayed hits.",
  networks: "Small networks, packet by packet: how long flows take under each policy.",
  attacks: "An attacker sends requests that make much work. How much innocent traffic does each scheduler lose?",
  scenario: "A scenario as text. Change it; the run starts by itself.",
};

/** Waits for the end of typing before the address changes, in milliseconds. */
const QUIET = 300;

function Page() {
  const [room, setRoom] = useState<RoomName>("policies");
  const [module, setModule] = useState<RoomModule>();
  const [state, setState] = useState<unknown>();
  const [problem, setProblem] = useState<string>();
  const [copied, setCopied] = useState<string>();
  /** The last state of each room. */
  const kept = useRef(new Map<RoomName, unknown>());
  /** The address that the page itself has set. */
  const own = useRef("");

  const enter = useCallback(async (linked: Linked, remember?: (state: unknown) => Promise<void>) => {
    const room = roomOf(linked);
    try {
      const loaded = await LOADERS[room]();
      const isReturn = Object.keys(linked).length === 1 && kept.current.has(room);
      const state = isReturn ? kept.current.get(room) : loaded.read(linked);
      await remember?.(state);
      setState(state);
      setModule(loaded);
      setRoom(room);
      setProblem(undefined);
    } catch (error) {
      setProblem(`This room cannot be loaded: ${String(error)}`);
    }
  }, []);

  const follow = useCallback(async () => {
    if (location.hash === own.current && own.current !== "") {
      return;
    }
    let problem: string | undefined;
    const linked = await fromFragment(location.hash).catch(() => {
      problem = "This link cannot be read; it may have been cut. This is the first page instead.";
      return undefined;
    });
    await enter(isLinked(linked) ? linked : { room: "policies" });
    if (problem !== undefined) {
      setProblem(problem);
    }
  }, [enter]);

  useEffect(() => {
    void follow();
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, [follow]);

  const setAddress = async (state: unknown): Promise<void> => {
    const fragment = await toFragment(state);
    own.current = fragment;
    history.replaceState(null, "", fragment);
  };

  /** Enters a room as a new entry of the history, so Back returns to this one as it is now. */
  const open = async (name: RoomName): Promise<void> => {
    if (name !== room) {
      await enter({ room: name }, async (next) => {
        if (kept.current.has(room)) {
          await setAddress(kept.current.get(room));
        }
        own.current = await toFragment(next);
        history.pushState(null, "", own.current);
      });
    }
  };

  useEffect(() => {
    if (state === undefined) {
      return;
    }
    kept.current.set(room, state);
    setCopied(undefined);
    document.title = `${TITLES.find(([name]) => name === room)?.[1] ?? "Scenario"} – forebay playground`;
    const timer = setTimeout(() => void setAddress(state), QUIET);
    return () => clearTimeout(timer);
  }, [state, room]);

  const share = async (): Promise<void> => {
    await setAddress(state);
    try {
      await navigator.clipboard.writeText(location.href);
      setCopied("Link copied");
    } catch {
      setCopied("The address of this page is the link: copy it");
    }
  };

  const Room = module?.Room;
  return (
    <>
      <header class="top">
        <a class="brand" href="../">
          forebay <span>playground</span>
        </a>
        <nav aria-label="Rooms">
          {TITLES.map(([name, title]) => (
            <button
              type="button"
              key={name}
              aria-current={name === room ? "page" : undefined}
              onClick={() => void open(name)}
            >
              {title}
            </button>
          ))}
        </nav>
        <div class="top-right">
          <a href="../">Docs</a>
          <button type="button" class="share" onClick={() => void share()}>
            Share link
          </button>
          <span role="status" class="copied">
            {copied}
          </span>
        </div>
      </header>
      <main class={`room room-${room}`}>
        <h1 class="introduction">{INTRODUCTIONS[room]}</h1>
        {problem !== undefined && (
          <p role="alert" class="error">
            {problem}
          </p>
        )}
        {Room === undefined || state === undefined ? <p role="status">Loading …</p> : <Room key={room} state={state as never} onChange={setState} />}
      </main>
      <footer>
        {isServed
          ? "Runs on this machine with the native library: forebay play."
          : "Everything runs in this page. Your files stay on your machine."}{" "}
        <a href="../">Documentation</a>
      </footer>
    </>
  );
}

/** For the console of the browser, and for tests: the library itself. */
Object.assign(globalThis, {
  forebay: {
    put: (name: string, content: Uint8Array) => runs.put(name, content),
    ask: (question: Question) => runs.ask(question),
    scenario: async () => {
      const { FIRST, scenarioOf } = await import("./rooms/policies/question");
      const { DEMO } = await import("./rooms/policies/traffic");
      return scenarioOf(FIRST, DEMO);
    },
  },
});

const host = document.querySelector("#page");
if (host !== null) {
  host.replaceChildren();
  render(<Page />, host);
}
