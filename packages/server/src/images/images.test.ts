import { afterAll, describe, expect, test } from 'vitest';

import { animationOf, gifWithFrames, imageOf, pngWithHeader } from './images.fixture.ts';
import { createImages, MAX_IMAGE_BYTES } from './images.ts';
import { type Rendition, squareOf } from './rendition.ts';

const images = createImages();
afterAll(() => images.stop());

const preview: Rendition = {
  width: 84,
  height: 56,
  fit: 'inside',
  format: 'webp',
  animated: true,
};
const still = { format: 'png', animated: false } as const;
const fileOf = (bytes: Uint8Array, person = '1/1') => ({ bytes, person });
const badImage = { code: 'BAD_IMAGE' };
const one = async (bytes: Uint8Array, rendition: Rendition) => {
  const { source, images: made } = await images.resize(fileOf(bytes), [rendition]);
  const [image] = made;
  if (!image) throw new Error('no rendition');
  return { source, image };
};

describe('an image', () => {
  test.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
    'as %s is described and cut to a square',
    async (format) => {
      const { source, image } = await one(await imageOf(format, 120, 80), squareOf(50, still));
      expect(source).toEqual({ type: `image/${format}`, width: 120, height: 80, frames: 1 });
      expect(image).toMatchObject({ type: 'image/png', width: 50, height: 50, frames: 1 });
    },
  );

  test('inside a box keeps its shape, and is not enlarged', async () => {
    const large = await one(await imageOf('png', 400, 100), preview);
    expect(large.image).toMatchObject({ type: 'image/webp', width: 84, height: 21 });
    const small = await one(await imageOf('png', 20, 10), preview);
    expect(small.image).toMatchObject({ width: 20, height: 10 });
  });

  test('contained in a square has transparent borders', async () => {
    const { image } = await one(
      await imageOf('jpeg', 60, 30),
      squareOf(64, { ...still, fit: 'contain' }),
    );
    expect(image).toMatchObject({ width: 64, height: 64 });
  });

  test('gets several renditions in their order, or only its description', async () => {
    const bytes = await imageOf('png', 60, 60);
    const both = await images.resize(fileOf(bytes), [squareOf(10, still), squareOf(20, still)]);
    expect(both.images.map(({ width }) => width)).toEqual([10, 20]);
    expect((await images.resize(fileOf(bytes), [])).images).toEqual([]);
  });
});

describe('an animation', () => {
  test.each(['gif', 'webp'] as const)(
    'as %s stays an animation, or becomes its first frame',
    async (to) => {
      const bytes = await animationOf('gif', { width: 20, height: 20, frames: 3 });
      const moving = await one(bytes, squareOf(10, { format: to, animated: true }));
      expect(moving.source.frames).toBe(3);
      expect(moving.image).toMatchObject({ width: 10, height: 10, frames: 3 });
      const first = await one(bytes, squareOf(10, { format: to, animated: false }));
      expect(first.image).toMatchObject({ width: 10, height: 10, frames: 1 });
      const png = await one(bytes, squareOf(10, { format: 'png', animated: true }));
      expect(png.image.frames).toBe(1);
    },
  );

  test('of 10,000 frames keeps the first 200', async () => {
    const { source, image } = await one(gifWithFrames(10_000), preview);
    expect(source.frames).toBe(10_000);
    expect(image.frames).toBe(200);
  });

  test('with large frames keeps as many as 16 million pixels hold', async () => {
    const bytes = await animationOf('gif', { width: 2000, height: 2000, frames: 6 });
    const { image } = await one(bytes, preview);
    expect(image.frames).toBe(4);
  });
});

describe('a hostile file', () => {
  test('with a header that promises 3.6 billion pixels is refused', async () => {
    await expect(images.resize(fileOf(pngWithHeader(60_000, 60_000)), [])).rejects.toMatchObject({
      ...badImage,
      message: 'The image has more than 64 million pixels: make it smaller.',
    });
  });

  test('without pixels is refused', async () => {
    await expect(one(pngWithHeader(1000, 1000), preview)).rejects.toMatchObject(badImage);
  });

  test('with its end cut off is refused', async () => {
    const png = await imageOf('png', 1000, 1000);
    await expect(one(png.subarray(0, png.length / 2), preview)).rejects.toMatchObject(badImage);
  });

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['an SVG with the first bytes of a PNG', Buffer.from('\x89PNG\r\n\x1a\n<svg/>', 'latin1')],
    ['a PDF', Buffer.from('%PDF-1.7\n')],
    ['an empty file', Buffer.alloc(0)],
    ['a JPEG that is only a start', Buffer.from('ffd8ffe0', 'hex')],
  ])('in the form of %s is refused', async (_, bytes) => {
    await expect(images.resize(fileOf(bytes), [])).rejects.toMatchObject(badImage);
  });

  test('in the format TIFF is refused', async () => {
    await expect(images.resize(fileOf(await imageOf('tiff', 9, 9)), [])).rejects.toMatchObject(
      badImage,
    );
  });

  test('of a GIF and a script leaves no script in its renditions', async () => {
    const script = Buffer.from('<script>alert(1)</script>');
    const gif = Buffer.concat([await imageOf('gif', 30, 30), script]);
    const { image } = await one(gif, squareOf(10, { format: 'gif', animated: true }));
    expect(image.bytes.includes('script')).toBe(false);
  });

  test('of more than 32 MiB is refused', async () => {
    const png = await imageOf('png', 9, 9);
    const bytes = Buffer.concat([png, Buffer.alloc(MAX_IMAGE_BYTES)]);
    await expect(images.resize(fileOf(bytes), [])).rejects.toMatchObject(badImage);
  });
});

describe('limits', () => {
  test('an image beyond the time limit is given up, and so is a later one', async () => {
    const hurried = createImages({ timeLimitMs: 1 });
    const png = await imageOf('png', 9, 9);
    for (let turn = 0; turn < 2; turn++)
      await expect(hurried.resize(fileOf(png), [])).rejects.toMatchObject({
        code: 'SERVICE_UNAVAILABLE',
      });
    hurried.stop();
  });

  test('a process that ended is replaced for the next image', async () => {
    const short = createImages({ idleMs: 0 });
    const png = await imageOf('png', 9, 9);
    for (let turn = 0; turn < 2; turn++) {
      expect((await short.resize(fileOf(png), [])).source.width).toBe(9);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    short.stop();
  });

  test('more images than may wait are refused', async () => {
    const few = createImages({ maxWaiting: 1 });
    const png = await imageOf('png', 9, 9);
    const first = few.resize(fileOf(png), []);
    await expect(few.resize(fileOf(png), [])).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect((await first).source.width).toBe(9);
    few.stop();
    await expect(few.resize(fileOf(png), [])).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });

  test('six images of one person are too many, and the image of another comes second', async () => {
    const busy = createImages();
    const png = await imageOf('png', 9, 9);
    const ended: string[] = [];
    const resize = async (name: string) => {
      await busy.resize(fileOf(png, name.slice(0, 1)), []);
      ended.push(name);
    };
    const own = ['a1', 'a2', 'a3', 'a4', 'a5'].map(resize);
    await expect(resize('a6')).rejects.toMatchObject({
      code: 'RATE_LIMIT_HIT',
      message: 'The server is still processing 5 images of yours. Try again in a few seconds.',
    });
    await Promise.all([...own, resize('b1')]);
    expect(ended).toEqual(['a1', 'a2', 'b1', 'a3', 'a4', 'a5']);
    busy.stop();
  });
});
