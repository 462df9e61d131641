. ./pay.sh
PAY=$PWD
for folder; do
  cd "$PAY/$folder"
  KEY_ID=$(cat key-id)
  DIGEST=$(digest <body)
  echo "$DIGEST"
  sed "s|^digest: *$|digest: $DIGEST|" signed | prove | sed 's/^[^:]*: //'
done
