#!/bin/sh
# Checks a manifest and its file as an agent does, with nothing but OpenSSL 3, sed and the small programs of every Linux:
#   verify-manifest.sh KEY.pem MANIFEST FILE KIND MODEL
set -eu
key=$1 line=$(tr -d '\r\n' <"$2") file=$3 kind=$4 model=$5
refuse() { echo "refused: $1" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
plain() { # base64url without its padding, decoded
  text=$(printf %s "$1" | tr -- -_ +/)
  while [ $((${#text} % 4)) -ne 0 ]; do text="$text="; done
  printf %s "$text" | openssl base64 -d -A
}
body=${line%%.*} signature=${line#*.}
case $line in *.*.* | .* | *.) refuse 'this is no manifest' ;; *.*) ;; *) refuse 'this is no manifest' ;; esac
printf %s "$body" >"$work/body"
plain "$signature" >"$work/signature"
# The signature is over the first part as it is written. Nothing in it is read before it is right.
openssl pkeyutl -verify -pubin -inkey "$key" -rawin -in "$work/body" -sigfile "$work/signature" >/dev/null 2>&1 || refuse 'wrong signature'
json=$(plain "$body")
value() { printf %s "$json" | sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }
[ "$(value format)" = 1 ] || refuse 'another format'
[ "$(value expires)" -gt "$(date +%s)" ] || refuse 'expired'
[ "$(value kind)" = "$kind" ] || refuse "this is for $(value kind)"
models=$(printf %s "$json" | sed -n 's/.*"models":\[\([^]]*\)\].*/\1/p')
case "$kind,$models," in app,,) ;; *",\"$model\","*) ;; *) refuse 'another model' ;; esac
[ "$(wc -c <"$file")" -eq "$(value size)" ] && [ "$(sha256sum <"$file" | cut -c-64)" = "$(value sha256)" ] || refuse 'the file differs'
echo "$kind $(value name) $(value version) is right"
