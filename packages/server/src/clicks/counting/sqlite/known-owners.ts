import type { Owner } from '../../batches/user-days.ts'
import type { ResourceTotals } from '../click-totals.ts'
import { isCode } from '../code-owners.ts'
import type { OwnerColumns, SqliteStatements } from './statements.ts'

/** Some four megabytes. */
const MOST_KNOWN = 20_000

/**
 * Whom links and pages belong to. A batch has many of the links of the batch before it, so owners stay in memory for as
 * long as no other connection has changed the database, which SQLite tells.
 */
export class KnownOwners {
  readonly #known = new Map<string, Owner>()
  #version = -1
  #userUuid = ''

  /** The owners of all of them, inside a transaction that reads; one that is gone has no owner. */
  read(run: SqliteStatements, { links, pages }: ResourceTotals): Map<string, Owner> {
    const version = run.dataVersion.get() ?? -1
    if (version !== this.#version || this.#known.size > MOST_KNOWN) this.#known.clear()
    this.#version = version
    const owners = new Map<string, Owner>()
    this.#find(owners, links, run.linkOwner)
    this.#find(owners, pages, run.pageOwner)
    return owners
  }

  #find(
    owners: Map<string, Owner>,
    resources: ResourceTotals['links'],
    owner: SqliteStatements['linkOwner'],
  ): void {
    const unknown: string[] = []
    for (const { resourceUuid } of resources) {
      const known = this.#known.get(resourceUuid)
      if (known === undefined) unknown.push(resourceUuid)
      else owners.set(resourceUuid, known)
    }
    // In the order of the table, neighbours are on the same page.
    for (const resourceUuid of unknown.sort()) {
      const row = owner.get(resourceUuid)
      if (row === undefined) continue
      const found = this.#ownerOf(row)
      this.#known.set(resourceUuid, found)
      owners.set(resourceUuid, found)
    }
  }

  #ownerOf([userUuid, ownerType, domain, name]: OwnerColumns): Owner {
    // One text for all links of a user, which takes less memory and is compared faster.
    if (this.#userUuid !== userUuid) this.#userUuid = userUuid
    return { userUuid: this.#userUuid, ofCode: isCode(ownerType), domain, name }
  }
}
