import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Colours of a palette of one byte. */
const maxColours = 64;

/**
 * The same PNG with its 64 most used colours, and for the others, which edges of letters have, the nearest of them: less than half as
 * large. Takes what Chromium writes: 8 bits a channel, no alpha, not interlaced.
 */
export function smallPng(png: Buffer): Buffer {
  const chunks = [...chunksOf(png)];
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (header.toString('hex', 8) !== '0802000000') throw new Error('This is no PNG of 8 bits a channel without alpha.');
  const data = chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data);
  const pixels = unfiltered(inflateSync(Buffer.concat(data)), width * 3, height);
  const colours = Uint32Array.from({ length: width * height }, (_, index) => pixels.readUIntBE(index * 3, 3));
  const { palette, places } = paletteOf(colours);
  const rows = Buffer.alloc((width + 1) * height);
  for (const [index, colour] of colours.entries()) {
    rows[index + Math.floor(index / width) + 1] = places.get(colour) ?? 0;
  }
  header.set([8, 3], 8);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => channelsOf(colour)))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function* chunksOf(png: Buffer): Generator<{ readonly type: string; readonly data: Buffer }> {
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const from = at + 8;
    yield {
      type: png.toString('latin1', at + 4, from),
      data: Buffer.from(png.subarray(from, from + png.readUInt32BE(at))),
    };
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** The bytes of the pixels; `filtered` has before each row the number of the filter that was applied to it. */
function unfiltered(filtered: Buffer, rowLength: number, height: number): Buffer {
  const bytes = Buffer.alloc(rowLength * height);
  for (let row = 0; row < height; row += 1) {
    const filter = filtered[row * (rowLength + 1)] ?? 0;
    for (let column = 0; column < rowLength; column += 1) {
      const at = row * rowLength + column;
      const left = column < 3 ? 0 : (bytes[at - 3] ?? 0);
      const up = row === 0 ? 0 : (bytes[at - rowLength] ?? 0);
      const corner = column < 3 || row === 0 ? 0 : (bytes[at - rowLength - 3] ?? 0);
      bytes[at] = (filtered[at + row + 1] ?? 0) + foreseen(filter, left, up, corner);
    }
  }
  return bytes;
}

/** What a filter of PNG expects of a byte, by those beside, above, and above the one beside. */
function foreseen(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return Math.floor((left + up) / 2);
  if (filter !== 4) return 0;
  const [byLeft, byUp, byCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

/** The most used colours, and the place of each colour, or of the nearest one, among them. */
function paletteOf(colours: Uint32Array) {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byUse = [...counts].toSorted(([, one], [, other]) => other - one).map(([colour]) => colour);
  const palette = byUse.slice(0, maxColours);
  const places = new Map<number, number>();
  for (const colour of byUse) {
    const distances = palette.map((each) => distance(each, colour));
    places.set(colour, distances.indexOf(Math.min(...distances)));
  }
  return { palette, places };
}

function distance(one: number, other: number): number {
  const [a, b] = [channelsOf(one), channelsOf(other)];
  return a.reduce((sum, value, index) => sum + (value - (b[index] ?? 0)) ** 2, 0);
}

function channelsOf(colour: number): number[] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}
