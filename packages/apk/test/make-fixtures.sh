#!/bin/sh
# Builds the apps of the tests with Debian's own tools, so that strangers' programs and not ours say what is right:
#   apt-get install aapt zipalign apksigner android-framework-res openssl zip unzip netpbm webp
# Keys are made anew each time, so every fixture and expected.txt change together.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out="$here/fixtures"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$out"
mkdir -p "$out"
cd "$work"
framework=/usr/share/android-framework-res/framework-res.apk

key() { # name, openssl's kind of key …
  name=$1
  shift
  openssl req -x509 -newkey "$@" -nodes -keyout "$name.pem" -out "$name.crt" -days 36500 -subj "/C=TW/O=Harbour/CN=$name" 2>/dev/null
  openssl pkcs8 -topk8 -nocrypt -outform DER -in "$name.pem" -out "$name.pk8"
}
key first rsa:2048
key second ec -pkeyopt ec_paramgen_curve:prime256v1
key strong rsa:4096

app() { # folder, attributes of the manifest, attributes of the application, elements
  mkdir -p "$1/res/values" "$1/assets"
  printf '<?xml version="1.0" encoding="utf-8"?>\n<manifest xmlns:android="http://schemas.android.com/apk/res/android" %s>%s<application %s/></manifest>\n' "$2" "$4" "$3" >"$1/AndroidManifest.xml"
  printf 'What the app carries.\n' >"$1/assets/note.txt"
  [ -e "$1/res/values/strings.xml" ] || strings "$1" values "Harbour Kiosk"
}
strings() { # folder, folder of values, the app's name
  mkdir -p "$1/res/$2"
  printf '<resources><string name="app_name">%s</string></resources>\n' "$3" >"$1/res/$2/strings.xml"
}
picture() { # file, size, colour
  mkdir -p "$(dirname "$1")"
  ppmmake "$3" "$2" "$2" | pnmtopng -quiet >picture.png
  case $1 in *.webp) cwebp -quiet -lossless picture.png -o "$1" ;; *) mv picture.png "$1" ;; esac
}
pack() { # folder: with the older of the two tools
  aapt package -f -M "$1/AndroidManifest.xml" -S "$1/res" -A "$1/assets" -I "$framework" -F "$1.raw" >/dev/null
  zipalign -f 4 "$1.raw" "$1.apk"
}
pack2() { # folder, options …: with the newer one
  folder=$1
  shift
  aapt2 compile --dir "$folder/res" -o "$folder.flat.zip"
  aapt2 link -I "$framework" --manifest "$folder/AndroidManifest.xml" -A "$folder/assets" -o "$folder.raw" "$@" "$folder.flat.zip"
  zipalign -f 4 "$folder.raw" "$folder.apk"
}
sign() { # folder, name of the fixture, schemes, options …
  from=$1 to=$2 schemes=$3
  shift 3
  v1=false v2=false v3=false
  case $schemes in *1*) v1=true ;; esac
  case $schemes in *2*) v2=true ;; esac
  case $schemes in *3*) v3=true ;; esac
  apksigner sign --v1-signing-enabled $v1 --v2-signing-enabled $v2 --v3-signing-enabled $v3 --v4-signing-enabled false "$@" --out "$out/$to.apk" "$from.apk"
}
by() { echo "--key $1.pk8 --cert $1.crt"; }

permissions='<uses-permission android:name="android.permission.INTERNET"/><uses-permission android:name="android.permission.CAMERA"/><uses-permission-sdk-23 android:name="android.permission.NFC"/>'
sdk='<uses-sdk android:minSdkVersion="21" android:targetSdkVersion="29"/>'
plain='package="com.example.kiosk" android:versionCode="42" android:versionName="3.2.0"'

app plain "$plain" 'android:label="@string/app_name" android:icon="@mipmap/icon"' "$sdk$permissions"
picture plain/res/mipmap-mdpi/icon.png 48 rgb:00/aa/55
picture plain/res/mipmap-xhdpi/icon.png 96 rgb:00/aa/55
pack plain
cp plain.apk "$out/unsigned.apk"
sign plain v1 1 --min-sdk-version 21 $(by first)
sign plain v1-sha1 1 --min-sdk-version 14 $(by first)
sign plain v1-v2 12 $(by first)
sign plain v2-v3 23 $(by second)
sign plain v1-v2-v3 123 $(by first)
sign plain v2-sha512 2 --min-sdk-version 24 $(by strong)
sign plain two-signers 2 --min-sdk-version 24 $(by first) --next-signer $(by second)

# A key that hands over to another.
apksigner rotate --out lineage --old-signer $(by first) --new-signer $(by second)
sign plain rotated 123 --lineage lineage $(by first) --next-signer $(by second)

# The oldest scheme with signed attributes, as other programs write it.
cp "$out/v1.apk" "$out/v1-openssl.apk"
mkdir -p META-INF
unzip -p "$out/v1.apk" META-INF/FIRST.SF >META-INF/FIRST.SF
openssl cms -sign -binary -md sha256 -in META-INF/FIRST.SF -signer first.crt -inkey first.pem -outform DER -out META-INF/FIRST.RSA
zip -q "$out/v1-openssl.apk" META-INF/FIRST.RSA

app names "$plain" 'android:label="@string/app_name"' "$sdk"
strings names values-en "Kiosk (en)"
strings names values-zh-rCN "港口自助机"
strings names values-zh-rTW "港口自助機"
strings names values-zh-rHK "港口自助機（香港）"
strings names values-fr "Borne"
pack names
sign names names 2 --min-sdk-version 24 $(by first)

app scripts "$plain" 'android:label="@string/shown"' "$sdk"
printf '<resources><string name="shown">@string/app_name</string></resources>\n' >scripts/res/values/shown.xml
strings scripts values "Kiosk 🛳"
strings scripts values-b+zh+Hans "港口自助机"
strings scripts values-zh-rHK "港口自助機"
strings scripts values-b+zh+Hant "港口自助機（繁）"
pack2 scripts --enable-sparse-encoding
sign scripts scripts 2 --min-sdk-version 24 $(by first)

layers='<?xml version="1.0" encoding="utf-8"?>\n<adaptive-icon xmlns:android="http://schemas.android.com/apk/res/android"><background android:drawable="@color/back"/><foreground android:drawable="@mipmap/front"/></adaptive-icon>\n'
adaptive() { # folder
  app "$1" "$plain" 'android:label="Kiosk" android:icon="@mipmap/icon"' "$sdk"
  printf '<resources><color name="back">#ffffff</color></resources>\n' >"$1/res/values/colors.xml"
  mkdir -p "$1/res/mipmap-anydpi-v26"
  printf "$layers" >"$1/res/mipmap-anydpi-v26/icon.xml"
  picture "$1/res/mipmap-hdpi/front.webp" 162 rgb:00/55/aa
}
adaptive adaptive
picture adaptive/res/mipmap-mdpi/icon.png 48 rgb:aa/00/55
picture adaptive/res/mipmap-xxhdpi/icon.png 144 rgb:aa/00/55
pack2 adaptive
sign adaptive adaptive 2 --min-sdk-version 24 $(by first)
adaptive layers
pack2 layers
sign layers layers 2 --min-sdk-version 24 $(by first)

app drawn "$plain" 'android:label="Kiosk" android:icon="@drawable/icon"' "$sdk"
mkdir -p drawn/res/drawable
printf '<?xml version="1.0" encoding="utf-8"?>\n<shape xmlns:android="http://schemas.android.com/apk/res/android"><solid android:color="#ff0000"/></shape>\n' >drawn/res/drawable/icon.xml
pack drawn
sign drawn drawn 2 --min-sdk-version 24 $(by first)

app debug 'package="com.example.debug" android:versionCode="7" android:versionCodeMajor="2" android:versionName="@string/app_name"' 'android:debuggable="true" android:testOnly="true"' "$sdk"
pack debug
sign debug debug 2 --min-sdk-version 24 $(by first)

app bare 'package="com.example.bare"' '' ''
rm -r bare/res bare/assets
aapt package -f -M bare/AndroidManifest.xml -I "$framework" -F bare.raw >/dev/null
zipalign -f 4 bare.raw bare.apk
sign bare bare 1 --min-sdk-version 21 $(by first)

app split 'package="com.example.kiosk" split="config.zh" android:versionCode="42"' 'android:hasCode="false"' ''
pack split
sign split split 2 --min-sdk-version 24 $(by first)

app needs "$plain android:isSplitRequired=\"true\"" '' "$sdk"
pack needs
sign needs needs-splits 2 --min-sdk-version 24 $(by first)

# Archives that hold an app.
cp "$out/v2-v3.apk" kiosk.apk
cp "$out/names.apk" other.apk
printf 'How to install it.\n' >readme.txt
zip -q -0 "$out/stored.zip" readme.txt kiosk.apk
zip -q -9 "$out/packed.zip" readme.txt kiosk.apk
zip -q -0 -fz "$out/zip64.zip" readme.txt kiosk.apk
zip -q -9 "$out/two.zip" kiosk.apk other.apk
zip -q -9 -P harbour "$out/encrypted.zip" kiosk.apk
ln -s /etc/passwd link.apk
zip -q -0 -y "$out/link.zip" link.apk

for file in "$out"/*.apk; do
  echo "== $(basename "$file")"
  apksigner verify --min-sdk-version 24 --verbose --print-certs "$file" 2>&1 | grep -E 'Verified using|SHA-256 digest|^Verifies|DOES NOT|DN:' | grep -vE "public key|v4 scheme" || true
  aapt dump badging "$file" 2>/dev/null | grep -E '^(package|application-label|application-debuggable|uses-permission|sdkVersion|targetSdkVersion)' || true
done >"$out/expected.txt"
