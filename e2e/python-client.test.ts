import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needPython } from '../scripts/services/programs.ts'
import { png } from './support/pictures.ts'
import { startWaymark, type Account, type Waymark } from './support/waymark.ts'

/* The Python client as a stranger gets it: its wheel, installed into an empty virtual environment, against a server. */

const run = promisify(execFile)
const client = fileURLToPath(new URL('../clients/python/', import.meta.url))

let waymark: Waymark
let account: Account
let token: string
let folder: string
beforeAll(async () => {
  const python3 = await needPython()
  folder = await mkdtemp(join(tmpdir(), 'waymark-python-'))
  waymark = await startWaymark({ RATE_LIMIT_READ: '30' })
  account = await waymark.account()
  const { stdout } = await waymark.cli('token', 'create', '--email', account.email, '--json')
  token = (JSON.parse(stdout) as { token: string }).token
  await writeFile(join(folder, 'logo.png'), png(200))
  const { stdout: wheel } = await run(python3, [join(client, 'build_wheel.py'), folder])
  await run(python3, ['-m', 'venv', join(folder, 'env')])
  const pip = ['-m', 'pip', 'install', '--no-index', '--disable-pip-version-check', wheel.trim()]
  await run(join(folder, 'env/bin/python'), pip)
})
afterAll(async () => {
  await waymark?.stop()
  await rm(folder, { recursive: true, force: true })
})

const python = async (program: string): Promise<string> => {
  const file = join(folder, 'program.py')
  await writeFile(file, program)
  const env = { BASE_URL: waymark.url, API_KEY: account.apiKey, SECRET: account.secret, TOKEN: token }
  const { stdout } = await run(join(folder, 'env/bin/python'), ['-W', 'error', file], { cwd: folder, env })
  return stdout
}

const OPEN = `
import os
from waymark import *
client = Client(os.environ["BASE_URL"] + "/", os.environ["API_KEY"], os.environ["SECRET"])
`

test('creates, lists, edits and removes, and says what is wrong', async () => {
  const program = `${OPEN}
from pathlib import Path
link = client.generate_link(link="https://example.com/ä?q=1", customLink="py", title="שלום 👋")["data"]
assert link["code"] == "py" and link["title"] == "שלום 👋", link
code = client.generate_qr(url=link["short_url"], pattern="dots", logo=Path("logo.png"))["data"]
assert code["logo"] and code["warnings"] == [], code
with open("logo.png", "rb") as logo:
    client.edit_qr({**code, "logo": logo, "size": 400})
later = client.edit_links({**link, "title": None}, options=CallOptions(if_match=link))["data"]
assert later["title"] is None
for attempt, kind in [
    (lambda: client.edit_links({**later, "title": "x"}, options=CallOptions(if_match=link)), PreconditionError),
    (lambda: client.generate_link(link="https://example.com/", customLink="py"), ConflictError),
    (lambda: client.generate_link(link="ftp://example.com/"), ValidationError),
    (lambda: client.generate_link({"link": "https://example.com/", "nonsense": 1}), WaymarkError),
    (lambda: client.remove_links(uuid="0190a0a0-0000-7000-8000-000000000000"), NotFoundError),
    (lambda: Client("http://127.0.0.1:9", "wm_x", "wms_x", retries=0).current_plan(), ConnectionFailed),
]:
    try:
        attempt()
        raise SystemExit(f"{kind.__name__} was not raised")
    except kind as error:
        print(kind.__name__, error.status, error.code, sorted(error.errors))
with_token = Client(os.environ["BASE_URL"], token=os.environ["TOKEN"])
assert with_token.remove_links(uuid=later["uuid"])["status"] == "success"
try:
    Client(os.environ["BASE_URL"], "wm_x", token="wmt_x")
    raise SystemExit("a key beside a token was taken")
except TypeError:
    pass
`
  expect(await python(program)).toBe(
    [
      'PreconditionError 412 precondition_failed []',
      "ConflictError 409 conflict ['customLink']",
      "ValidationError 422 validation ['link']",
      "WaymarkError 422 validation ['nonsense']",
      'NotFoundError 404 not_found []',
      'ConnectionFailed 0 connection_failed []',
      '',
    ].join('\n'),
  )
})

test('a list is walked through although the limit is reached on the way', async () => {
  const program = `${OPEN}
for n in range(3):
    client.generate_link(link=f"https://example.com/{n}", tag="list")
seen = []
client._on_response = lambda info: seen.append(info.status)
codes = {each["code"] for each in client.links(tag="list", limit=1)}
# More than any minute allows, in case a new one begins meanwhile.
for _ in range(100):
    client.current_plan()
    if 429 in seen:
        break
assert len(codes) == 3 and 429 in seen and seen[-1] == 200, (codes, seen)
print("walked")
`
  expect(await python(program)).toBe('walked\n')
}, 150_000)

test('live clicks arrive, from a stream that the caller ends', async () => {
  const program = `${OPEN}
import threading, urllib.request
link = client.generate_link(link="https://example.com/live", customLink="py-live")["data"]
heard = threading.Event()
def visit():
    opener = urllib.request.build_opener(type("Stay", (urllib.request.HTTPRedirectHandler,), {"redirect_request": lambda *_: None}))
    while not heard.wait(0.2):
        try:
            opener.open(link["short_url"])
        except urllib.error.HTTPError as redirect:
            redirect.close()
visitor = threading.Thread(target=visit)
visitor.start()
stream = client.live(uuid=link["uuid"])
click = next(stream)
heard.set()
stream.close()
visitor.join()
assert click["code"] == "py-live" and click["link_uuid"] == link["uuid"], click
try:
    next(client.live(uuid="0190a0a0-0000-7000-8000-000000000000"))
except NotFoundError as error:
    print(error.code)
`
  expect(await python(program)).toBe('not_found\n')
})

test('a lost response is asked for again only where the table says that the operation may be repeated', async () => {
  const program = `
import http.server, threading
from waymark import *
seen = []
class Silent(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        seen.append(self.path)
        self.close_connection = True
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Silent)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = Client(f"http://127.0.0.1:{server.server_port}", "wm_x", "wms_x", retries=1)
for call in [
    lambda: client.generate_link(link="https://example.com/"),
    lambda: client.add_webhook(url="https://example.com/hook"),
    lambda: client.rotate_webhook_secret(uuid="0190a0a0-0000-7000-8000-000000000000"),
    lambda: client.sign_in(email="a@b.example", password="x"),
]:
    try:
        call()
    except ConnectionFailed:
        pass
print(*seen)
server.shutdown()
`
  expect(await python(program)).toBe(
    '/v1/generate-link /v1/generate-link /v1/add-webhook /v1/rotate-webhook-secret /v1/sign-in\n',
  )
})

test('a delivery is verified, and a forged one is not', async () => {
  const program = `
import base64, hashlib, hmac, time
from waymark import verify_webhook, WebhookVerificationError
key, body, at = b"k" * 24, b'{"type":"link.created"}', str(int(time.time()))
sign = lambda text: base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
headers = {"Webhook-Id": "msg_1", "Webhook-Timestamp": at, "Webhook-Signature": "v1," + sign(f"msg_1.{at}.".encode() + body)}
secret = "whsec_" + base64.b64encode(key).decode()
assert verify_webhook(["whsec_b3RoZXI=", secret], headers, body)["type"] == "link.created"
for changed, content in [({}, b"{}"), ({"Webhook-Timestamp": "1"}, body), ({"Webhook-Signature": "v1,AAAA"}, body)]:
    try:
        verify_webhook(secret, {**headers, **changed}, content)
        raise SystemExit("accepted")
    except WebhookVerificationError as error:
        print(error)
`
  expect((await python(program)).trim().split('\n')).toHaveLength(3)
})
