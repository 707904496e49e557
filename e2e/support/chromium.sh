#!/bin/sh
# Chromium, without the two pages behind its address bar, which each new context of a journey loads and no journey sees:
# a quarter of its work. Playwright names what it switches off in one list, and Chromium takes the last list.
for one do
  shift
  case $one in --disable-features=*) one=$one,WebUIOmniboxPopup,WebUIOmniboxAimPopup ;; esac
  set -- "$@" "$one"
done
exec "$CHROMIUM_PATH" "$@"
