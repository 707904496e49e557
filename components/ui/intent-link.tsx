"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";

/** A link that prefetches once it is pointed at, focused or touched: a menu would prefetch all of its pages at once. */
export function IntentLink(props: ComponentProps<typeof Link>) {
  const [meant, setMeant] = useState(false);
  const mean = () => setMeant(true);
  return (
    <Link prefetch={meant ? null : false} onMouseEnter={mean} onFocus={mean} onTouchStart={mean} {...props} />
  );
}
