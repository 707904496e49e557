/// <reference lib="webworker" />
import type { PrecacheEntry } from "serwist";

declare const self: ServiceWorkerGlobalScope & {
  /** Written in by the build: what the counter's pages load, and the page that is shown without any. */
  __SHELL: PrecacheEntry[];
  __OFFLINE_PAGE: string;
};

/** The global scope of the service worker. */
export const worker = self;
export const shell = self.__SHELL;
export const offlinePage = self.__OFFLINE_PAGE;
