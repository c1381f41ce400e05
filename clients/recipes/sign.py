import hashlib, hmac, json, os, secrets, time, urllib.request

BASE_URL = os.environ.get("BASE_URL", "http://localhost:3000")
API_KEY = os.environ["API_KEY"]
SECRET = os.environ["SECRET"]

def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()

def send(method, target, digest, body=None, content_type=None):
    timestamp = str(time.time_ns() // 1_000_000)
    canonical = "\n".join([timestamp, method, target, digest])
    headers = {
        "X-API-KEY": API_KEY,
        "X-TIMESTAMP": timestamp,
        "X-SIGNATURE": hmac.new(SECRET.encode(), canonical.encode(), hashlib.sha256).hexdigest(),
        "Accept": "application/json",
    }
    if content_type:
        headers["Content-Type"] = content_type
    request = urllib.request.Request(BASE_URL + target, data=body, headers=headers, method=method)
    with urllib.request.urlopen(request) as response:
        return json.load(response)

def send_json(target, fields):
    body = json.dumps(fields).encode()
    return send("POST", target, sha256(body), body, "application/json")

def send_form(target, fields):
    """fields: (name, text) or (name, (file name, bytes)), in the order they are to be sent"""
    boundary, parts, manifest = secrets.token_hex(16), [], ""
    for name, value in fields:
        filename, data = value if isinstance(value, tuple) else (None, value.encode())
        suffix = f'; filename="{filename}"' if filename else ""
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{suffix}\r\n\r\n'
        parts.append(head.encode() + data + b"\r\n")
        manifest += f"{name}\n{sha256(data)}\n"
    body = b"".join(parts) + f"--{boundary}--\r\n".encode()
    return send("POST", target, sha256(manifest.encode()), body, f"multipart/form-data; boundary={boundary}")

print(send("GET", "/v1/current-plan", sha256(b"")))
print(send_json("/v1/generate-utm", {"url": "https://example.com/", "source": "newsletter",
                                     "medium": "email", "campaign": "spring", "content": "button"}))
with open("picture.png", "rb") as picture:
    print(send_form("/v1/add-feedback", [("feedback", "It points the way"),
                                         ("image", ("picture.png", picture.read()))]))
