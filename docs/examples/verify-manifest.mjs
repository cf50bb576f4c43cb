// Checks a manifest and its file as an agent does before it touches anything: node verify-manifest.mjs KEY.pem MANIFEST FILE KIND MODEL
import { createHash, verify } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'

const [keyFile, manifestFile, file, kind, model] = process.argv.slice(2)
const refuse = (why) => {
  console.error(`refused: ${why}`)
  process.exit(1)
}

const [body, signature, ...more] = readFileSync(manifestFile, 'utf8').trim().split('.')
if (!body || !signature || more.length > 0) refuse('this is no manifest')
// The signature is over the first part as it is written. Nothing in it is read before it is right.
const isRight = verify(null, Buffer.from(body), readFileSync(keyFile), Buffer.from(signature, 'base64url'))
if (!isRight) refuse('wrong signature')

const manifest = JSON.parse(Buffer.from(body, 'base64url').toString())
if (manifest.format !== 1) refuse('another format')
if (manifest.expires * 1000 <= Date.now()) refuse('expired')
if (manifest.kind !== kind) refuse(`this is for ${manifest.kind}`)
if ((kind === 'firmware' || manifest.models.length > 0) && !manifest.models.includes(model)) refuse('another model')
const digest = createHash('sha256')
let size = 0
for await (const piece of createReadStream(file)) {
  size += piece.length
  if (size > manifest.size) refuse('the file is longer')
  digest.update(piece)
}
if (size !== manifest.size || digest.digest('hex') !== manifest.sha256) refuse('the file differs')
console.log(`${manifest.kind} ${manifest.name} ${manifest.version} is right`)
