import { readFile, writeFile } from 'node:fs/promises';

import sharp from 'sharp';

/** Renders every icon of public/ from public/icon.svg: `node tests/support/make-icons.ts`. */

const PUBLIC = new URL('../../public/', import.meta.url);
const rounded = await readFile(new URL('icon.svg', PUBLIC), 'utf8');
/** Platforms that cut the shape themselves need the background up to the edge. */
const bled = rounded.replace(/rx="\d+"/, 'rx="0"');

const draw = (svg: string, size: number): Promise<Buffer> =>
  sharp(Buffer.from(svg), { density: 144 })
    .resize(size)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();

/** An .ico file holding one PNG: directory of one entry, then the picture. */
const toIco = (png: Buffer, size: number): Buffer => {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
};

const save = (name: string, content: Buffer) => writeFile(new URL(name, PUBLIC), content);

await save('icon-192.png', await draw(rounded, 192));
await save('icon-512.png', await draw(rounded, 512));
await save('icon-maskable-512.png', await draw(bled, 512));
await save('apple-touch-icon.png', await draw(bled, 180));
await save('favicon.ico', toIco(await draw(rounded, 32), 32));
