#!/bin/sh
# Chromium, or its shell without windows, without the two pages behind its address bar: a quarter of its work, since each new
# context of a journey loads them, and no journey sees them. Playwright names what it switches off in one list, and Chromium
# takes the last list.
for one do
  shift
  case $one in --disable-features=*) one=$one,WebUIOmniboxPopup,WebUIOmniboxAimPopup ;; esac
  set -- "$@" "$one"
done
# A journey's pages live for seconds: code that is made faster for them costs more than it saves, about a tenth of all work.
exec "$HEADLESS_SHELL" --js-flags="--no-maglev --no-turbofan" "$@"
