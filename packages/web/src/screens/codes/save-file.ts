import { inWorkspace } from '../../api/chosen-workspace.ts'

/** Downloads a file through the browser. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const anchor = document.createElement('a')
  anchor.href = address
  anchor.download = name
  anchor.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

/** Lets the browser download a file of the API itself, directly to disk, so that no script holds it in memory. */
export function openDownload(address: string): void {
  const anchor = document.createElement('a')
  anchor.href = inWorkspace(address)
  anchor.download = ''
  anchor.click()
}
