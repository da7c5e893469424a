import express from 'express';

/** A bot as a beginner writes one with Express: the last word of a message names its fault. */
export function naiveExpress() {
  const app = express();
  app.use(express.json());
  app.post('/hook', (request, response) => {
    const { data } = request.body as { data: string };
    switch (data.split(' ').at(-1)) {
      case 'throw':
        throw new Error('no such table');
      case 'send':
        return response.send('hello');
      case 'status':
        return response.sendStatus(200);
      case 'end':
        return response.end();
      case 'string':
        return response.json('hello');
      case 'null':
        return response.json(null);
      case 'message':
        return response.json({ message: 'hello' });
      case 'moved':
        return response.redirect(308, '/hook/');
      case 'path':
        return response.status(404).send('Cannot POST /hook');
      case 'token':
        return response.status(401).json({ error: 'bad token' });
      case 'forgotten':
        return undefined;
      case 'destroy':
        return response.destroy();
      case 'widget':
        return response.json({ content: 'hello', widget_content: { widget_type: 'poll' } });
      case 'huge':
        return response.json({ content: 'x'.repeat(70_000) });
      default:
        return response.json({ content: 'hello' });
    }
  });
  return app;
}
