import { openAsBlob } from 'node:fs'
import { copyFile, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { OperatorError } from '../../net/errors.ts'
import { connectS3 } from '../blobs/s3.ts'
import { makeFolders } from '../db/private-folder.ts'

/** Where backups are stored: a folder or a bucket. */
export interface BackupTarget {
  /** Moves or uploads a local file. Its name appears only when it is complete. */
  put(name: string, file: string): Promise<void>
  /** The names of the backups, oldest first. */
  list(): Promise<string[]>
  /** Downloads a backup into a new local file. */
  fetch(name: string, file: string): Promise<void>
  remove(name: string): Promise<void>
}

/** Long enough for a part of 8 MiB over a slow connection. */
const TIMEOUT_MS = 300_000
const LIST_PAGE = 1_000
const NAME = /^waymark-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z\.tar$/

/** The name of a backup. Names sort by time and are valid on every file system. */
export const backupName = (now: number): string =>
  `waymark-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}.tar`

/** When a backup was created, from its name. */
export const backupTime = (name: string): number =>
  Date.parse(name.replace(/^waymark-(.{10}T\d\d)-(\d\d)-(\d\d)-(\d{3}Z).*$/, '$1:$2:$3.$4'))

export const isBackupName = (name: string): boolean => NAME.test(name)

/** Opens the target in `BACKUP_TO`. */
export const openTarget = (target: string): BackupTarget =>
  isBucket(target) ? bucketTarget(target) : folderTarget(target)

export const isBucket = (target: string): boolean => /^https?:\/\//.test(target)

function folderTarget(folder: string): BackupTarget {
  return {
    async put(name, file) {
      await makeFolders(folder)
      try {
        await rename(file, join(folder, name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
        const half = join(folder, `.${name}.partial`)
        await copyFile(file, half)
        await rename(half, join(folder, name))
      }
    },
    async list() {
      const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return []
        throw error
      })
      return names.filter(isBackupName).sort()
    },
    fetch: (name, file) => copyFile(join(folder, name), file),
    remove: (name) => rm(join(folder, name), { force: true }),
  }
}

function bucketTarget(address: string): BackupTarget {
  const { client, folders } = connectS3(address, TIMEOUT_MS)
  const prefix = [...folders, ''].join('/')
  return {
    async put(name, file) {
      await client.putAnyObject(prefix + name, await openAsBlob(file), 'application/x-tar')
    },
    async list() {
      const names: string[] = []
      let token: string | undefined
      do {
        const page = await client.listObjectsPaged('/', prefix, LIST_PAGE, token)
        for (const { Key } of page?.objects ?? []) names.push(Key.slice(prefix.length))
        token = page?.nextContinuationToken
      } while (token !== undefined)
      return names.filter(isBackupName).sort()
    },
    async fetch(name, file) {
      const response = await client.getObjectResponse(prefix + name)
      if (response?.body == null) throw new OperatorError(`there is no backup ${name}`)
      const target = await open(file, 'wx', 0o600)
      await pipeline(response.body, target.createWriteStream())
    },
    async remove(name) {
      await client.deleteObject(prefix + name)
    },
  }
}
