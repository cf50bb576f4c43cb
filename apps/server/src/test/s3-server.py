"""OpenStack Swift with its S3 interface, all of its servers in one process: a store as strangers run it, in a folder of its
own, on loopback. Says the port once it listens. Usage: s3-server.py FOLDER KEY SECRET"""
import os
import sys

import eventlet

eventlet.monkey_patch()
from array import array

from eventlet import wsgi

folder, key, secret = sys.argv[1:]
account, user = key.split(':')
settings, disks = os.path.join(folder, 'settings'), os.path.join(folder, 'disks')
os.makedirs(settings)
os.makedirs(os.path.join(disks, 'one'))
with open(os.path.join(settings, 'swift.conf'), 'w') as file:
    file.write('[swift-hash]\nswift_hash_path_prefix = campanile\nswift_hash_path_suffix = test\n')

from swift.common import utils

utils.SWIFT_CONF_FILE = os.path.join(settings, 'swift.conf')
from swift.account.server import AccountController
from swift.common.middleware import slo, tempauth
from swift.common.middleware.s3api import s3api
from swift.common.ring import RingData
from swift.container.server import ContainerController
from swift.obj.server import ObjectController
from swift.proxy.server import Application

shared = {
    'devices': disks,
    'swift_dir': settings,
    'mount_check': 'false',
    'disable_fallocate': 'true',
    'account_autocreate': 'true',
    'log_level': 'CRITICAL',
}
log = open(os.path.join(folder, 'log'), 'w')

for kind, server in (('account', AccountController), ('container', ContainerController), ('object', ObjectController)):
    socket = eventlet.listen(('127.0.0.1', 0))
    place = {'ip': '127.0.0.1', 'port': socket.getsockname()[1]}
    place.update({'replication_' + name: value for name, value in list(place.items())})
    device = {'id': 0, 'region': 1, 'zone': 1, 'device': 'one', 'weight': 1, **place}
    RingData([array('H', [0])], [device], 32).save(os.path.join(settings, kind + '.ring.gz'))
    eventlet.spawn(wsgi.server, socket, server(shared), log)


class Memory:
    """What Swift asks of a memcached."""

    def __init__(self):
        self.held = {}

    def get(self, key, **_):
        return self.held.get(key)

    def set(self, key, value, **_):
        self.held[key] = value

    def delete(self, key, **_):
        self.held.pop(key, None)


def remembering(app):
    memory = Memory()

    def answer(env, start):
        env['swift.cache'] = memory
        return app(env, start)

    return answer


proxy = slo.filter_factory(shared)(Application(shared))
proxy = tempauth.filter_factory({**shared, f'user_{account}_{user}': secret + ' .admin'})(proxy)
proxy = remembering(s3api.filter_factory(shared)(proxy))
socket = eventlet.listen(('127.0.0.1', 0))
print(socket.getsockname()[1], flush=True)
wsgi.server(socket, proxy, log)
