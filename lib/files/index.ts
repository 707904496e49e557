export { attachUpload, type CheckedUpload, checkUpload, detachUpload, importImage } from "./attach";
export { createUpload } from "./create-upload";
export { readImage } from "./read-image";
export { readDocument, readMedia } from "./read-media";
