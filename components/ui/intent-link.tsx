"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link that prefetches its page once the pointer, the keyboard focus or a finger is on it. Otherwise a
 * visible menu would prefetch all of its pages at once, with two requests each.
 */
export function IntentLink(props: ComponentProps<typeof Link>) {
  const [meant, setMeant] = useState(false);
  const mean = () => setMeant(true);
  return (
    <Link prefetch={meant ? null : false} onMouseEnter={mean} onFocus={mean} onTouchStart={mean} {...props} />
  );
}
