import type { EventType } from '@waymark/contract'

/** What an event carries: the resource as responses show it, or the uuid of a removed one. */
export type EventData = { readonly uuid: string }

/** Creates the data of an event. */
export type Items = () => readonly EventData[] | Promise<readonly EventData[]>

/** Where services tell what has happened. */
export interface Events {
  /**
   * Called inside the write that makes the change, so that change and event are kept together or not at all.
   * One event for each item; they are created only when a webhook subscribes to them.
   */
  record(workspaceUuid: string, type: EventType, items: Items): Promise<void>
}
