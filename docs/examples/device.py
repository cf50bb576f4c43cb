"""A whole device in forty lines: joins with a code, says what it is, reports, answers every command once.
   python3 device.py http://127.0.0.1:8080 SERIAL CODE"""
import json, os, socket, struct, sys, time, urllib.parse, urllib.request

server, sn, code = sys.argv[1:4]
request = urllib.request.Request(server + "/device/v1/activate", json.dumps({"sn": sn, "code": code}).encode(), {"content-type": "application/json"})
given = json.load(urllib.request.urlopen(request))["data"]
broker = urllib.parse.urlparse(given["mqttUrl"])
line = socket.create_connection((broker.hostname, broker.port))
text = lambda value: struct.pack("!H", len(value.encode())) + value.encode()

def send(head, body):  # a packet: type, length in groups of seven bits, body
    length, size = len(body), b""
    while length > 127: size, length = size + bytes([length & 127 | 128]), length >> 7
    line.sendall(bytes([head]) + size + bytes([length]) + body)

def receive():
    head, length, shift = line.recv(1, socket.MSG_WAITALL)[0], 0, 0
    while (byte := line.recv(1, socket.MSG_WAITALL)[0]) & 128: length, shift = length | (byte & 127) << shift, shift + 7
    length |= byte << shift
    return head, line.recv(length, socket.MSG_WAITALL) if length else b""

def publish(kind, message, number=[0]):  # QoS 1: the server answers once it is stored
    number[0] = number[0] % 65535 + 1
    send(0x32, text(f"v1/{sn}/up/{kind}") + struct.pack("!H", number[0]) + json.dumps(message).encode())

will = text(f"v1/{sn}/up/bye") + text('{"reason": "lost"}')  # 0xCE: user name, password, will with QoS 1, clean session
send(0x10, text("MQTT") + bytes([4, 0xCE]) + struct.pack("!H", 30) + text(sn) + will + text(given["username"]) + text(given["password"]))
assert receive()[1][1] == 0, "refused"
send(0x82, struct.pack("!H", 1) + text(f"v1/{sn}/down/command") + b"\x01")
publish("hello", {"model": "example", "agent": "device.py", "firmware": "1.0", "capabilities": ["message"]})
publish("state", {"ts": int(time.time() * 1000), "cpu": round(min(100, os.getloadavg()[0] * 100 / os.cpu_count()), 1)})
while True:
    head, body = receive()
    if head >> 4 != 3: continue  # acknowledgements need nothing done
    topic = struct.unpack("!H", body[:2])[0] + 2
    send(0x40, body[topic:topic + 2])
    command = json.loads(body[topic + 2:])
    done = command["name"] == "message"
    publish("reply", {"id": command["id"], "state": "done" if done else "failed", **({} if done else {"error": "cannot do " + command["name"]})})
