"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link whose page is asked for ahead once the pointer, the keyboard or a finger is on it: a menu in view would ask for
 * all of its pages at once, two requests each.
 */
export function IntentLink(props: ComponentProps<typeof Link>) {
  const [meant, setMeant] = useState(false);
  const mean = () => setMeant(true);
  return (
    <Link prefetch={meant ? null : false} onMouseEnter={mean} onFocus={mean} onTouchStart={mean} {...props} />
  );
}
