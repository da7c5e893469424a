-- A message looks up the alert words that begin like one of its words.
create index alert_word_beginning on alert_word (realm_id, left(word_key, 3));
