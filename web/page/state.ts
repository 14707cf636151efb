/** The state of a room, read from a link. Rooms load when they are entered. */

export const ROOMS = ["policies", "caches", "networks", "attacks", "scenario"] as const;
export type RoomName = (typeof ROOMS)[number];

/** What a link says; each room reads its own part. */
export interface Linked {
  room: RoomName;
  [more: string]: unknown;
}

export function isLinked(value: unknown): value is Linked {
  return typeof value === "object" && value !== null && ROOMS.includes((value as { room?: RoomName }).room as RoomName);
}
