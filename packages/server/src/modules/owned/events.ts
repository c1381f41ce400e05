import type { EventType } from '@waymark/contract'

/** The data of an event: the resource as in responses, or the uuid of a deleted one. */
export type EventData = { readonly uuid: string }

/** Creates the data of an event. */
export type Items = () => readonly EventData[] | Promise<readonly EventData[]>

/** Where services report changes. */
export interface Events {
  /**
   * Called inside the write that makes the change, so that change and event are stored together or not at all.
   * One event per item; items are created only if a webhook subscribes to them.
   */
  record(workspaceUuid: string, type: EventType, items: Items): Promise<void>
}
