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
  const kept = useRef(new Map<RoomName, unknown>());
  const own = useRef("");

  const enter = useCallback(async (linked: Linked) => {
    const room = roomOf(linked);
    try {
      const loaded = await LOADERS[room]();
      const isReturn = Object.keys(linked).length === 1 && kept.current.has(room);
      setState(isReturn ? kept.current.get(room) : loaded.read(linked));
      setModule(loaded);
      setRoom(room);
      setProblem(undefined);
    } catch (error) {
      setProblem(`This room cannot be loaded: ${String(error)}`);
    }
  }, []);

  const follow = useCallback(async () => {
    // The page's own change of the address.
    if (location.hash === own.current && own.current !== "") {
      return;
    }
    const linked = await fromFragment(location.hash).catch(() => {
      setProblem("This link cannot be read; it may have been cut. This is the first page instead.");
      return undefined;
    });
    await enter(isLinked(linked) ? linked : { room: "policies" });
  }, [enter]);

  useEffect(() => {
    void follow();
    window.addEventListener("hashchange", follow);
    return () => window.removeEventListener("hashchange", follow);
  }, [follow]);

  useEffect(() => {
    if (state === undefined) {
      return;
    }
    kept.current.set(room, state);
    setCopied(undefined);
    const timer = setTimeout(() => {
      void toFragment(state).then((fragment) => {
        own.current = fragment;
        history.replaceState(null, "", fragment);
      });
    }, QUIET);
    return () => clearTimeout(timer);
  }, [state, room]);

  const share = async (): Promise<void> => {
    const fragment = await toFragment(state);
    own.current = fragment;
    history.replaceState(null, "", fragment);
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
              onClick={() => void enter({ room: name })}
            >
              {title}
            </button>
          ))}
        </nav>
        <div class="top-right">
          <span role="status">{copied}</span>
          <button type="button" class="share" onClick={() => void share()}>
            Share link
          </button>
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
