"""A whole device without a library: joins with a code, says what it is, reports, answers every command once, comes back.
   python3 device.py http://127.0.0.1:8080 SERIAL CODE          (KEEPALIVE=30 seconds; the password is kept in SERIAL.json)"""
import json, os, random, socket, struct, sys, time, urllib.parse, urllib.request

server, sn, code = sys.argv[1:4]
keepalive = int(os.environ.get("KEEPALIVE", 30))
text = lambda value: struct.pack("!H", len(value.encode())) + value.encode()
answers = {}  # what was answered to each command, to say it again without doing it again

def join():  # a code serves once, so what it gave is kept where only we can read it
    request = urllib.request.Request(server + "/device/v1/activate", json.dumps({"sn": sn, "code": code}).encode(), {"content-type": "application/json"})
    answer = json.load(urllib.request.urlopen(request))
    if answer["code"] != 100000: sys.exit(answer["message"])
    with open(os.open(f"{sn}.json", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file: json.dump(answer["data"], file)

def send(line, head, body=b""):  # a packet: type, length in groups of seven bits, body
    length, size = len(body), b""
    while length > 127: size, length = size + bytes([length & 127 | 128]), length >> 7
    line.sendall(bytes([head]) + size + bytes([length]) + body)

def exactly(line, count):
    data = b""
    while len(data) < count:
        more = line.recv(count - len(data))
        if not more: raise ConnectionError("the server closed the line")
        data += more
    return data

def receive(line):
    head, length, shift = exactly(line, 1)[0], 0, 0
    while (byte := exactly(line, 1)[0]) & 128: length, shift = length | (byte & 127) << shift, shift + 7
    return head, exactly(line, length | byte << shift)

def publish(line, kind, message, number=[0]):  # QoS 1: the server answers once it is stored
    number[0] = number[0] % 65535 + 1
    send(line, 0x32, text(f"v1/{sn}/up/{kind}") + struct.pack("!H", number[0]) + json.dumps(message).encode())

def report(line):
    publish(line, "state", {"ts": int(time.time() * 1000), "cpu": round(min(100, os.getloadavg()[0] * 100 / os.cpu_count()), 1)})

def obey(command):
    if command["expires"] < time.time() * 1000: return {"state": "failed", "error": "expired"}
    return {"state": "done"} if command["name"] == "message" else {"state": "failed", "error": "cannot do " + command["name"]}

def talk(line, given):
    will = text(f"v1/{sn}/up/bye") + text('{"reason": "lost"}')  # 0xCE: user name, password, will with QoS 1, clean session
    send(line, 0x10, text("MQTT") + bytes([4, 0xCE]) + struct.pack("!H", keepalive) + text(sn) + will + text(given["username"]) + text(given["password"]))
    refusal = receive(line)[1][1]
    if refusal: raise ConnectionError(f"refused with {refusal}")
    send(line, 0x82, struct.pack("!H", 1) + text(f"v1/{sn}/down/command") + b"\x01")
    publish(line, "hello", {"model": "example", "agent": "device.py", "firmware": "1.0", "capabilities": ["message"]})
    report(line)
    print("connected", flush=True)
    while True:
        try: head = line.recv(1, socket.MSG_PEEK)  # waits half a keep-alive for the next packet
        except socket.timeout:
            send(line, 0xC0)  # PINGREQ: silent for one and a half keep-alives, we would be taken for gone
            continue
        if head and head[0] >> 4 != 3:
            receive(line)  # acknowledgements and PINGRESP need nothing done
            continue
        body = receive(line)[1]
        topic = struct.unpack("!H", body[:2])[0] + 2
        send(line, 0x40, body[topic:topic + 2])
        command = json.loads(body[topic + 2:])
        if command["id"] not in answers: answers[command["id"]] = obey(command)
        publish(line, "reply", {"id": command["id"], **answers[command["id"]]})

if not os.path.exists(f"{sn}.json"): join()
given = json.load(open(f"{sn}.json"))
broker = urllib.parse.urlparse(given["mqttUrl"])
pause = 1
while True:
    began = time.time()
    try:
        with socket.create_connection((broker.hostname, broker.port), timeout=keepalive / 2) as line: talk(line, given)
    except OSError as error: print(f"not connected: {error}", file=sys.stderr, flush=True)
    pause = 1 if time.time() - began > 60 else min(60, pause * 2)
    time.sleep(random.uniform(pause / 2, pause))
