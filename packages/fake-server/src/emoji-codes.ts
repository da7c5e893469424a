/** Common emoji as `name=code`; a real server knows all emoji. */
const common = `
  +1=1f44d thumbs_up=1f44d -1=1f44e thumbs_down=1f44e heart=2764 tada=1f389 smile=1f642
  grinning=1f600 laughing=1f606 joy=1f602 cry=1f622 sob=1f62d wave=1f44b clap=1f44f pray=1f64f
  muscle=1f4aa ok=1f44c ok_hand=1f44c fire=1f525 rocket=1f680 star=2b50 sparkles=2728 eyes=1f440
  thinking=1f914 check=2705 check_mark=2714 white_check_mark=2705 cross_mark=274c x=274e
  warning=26a0 question=2753 exclamation=2757 bug=1f41b wrench=1f527 hammer=1f528 gear=2699
  lock=1f512 unlock=1f513 key=1f511 robot=1f916 working_on_it=1f6e0 hourglass=23f3
  hourglass_done=231b hourglass_flowing_sand=23f3 alarm_clock=23f0 stopwatch=23f1 calendar=1f4c5
  memo=1f4dd pencil=270f book=1f4d6 link=1f517 bell=1f514 mute=1f507 loudspeaker=1f4e2
  mega=1f4e3 package=1f4e6 gift=1f381 trophy=1f3c6 crown=1f451 100=1f4af boom=1f4a5 zap=26a1
  sunny=2600 rainbow=1f308 coffee=2615 tea=1f375 beer=1f37a cake=1f370 pizza=1f355 dog=1f415
  cat=1f408 ghost=1f47b skull=1f480 poop=1f4a9 party_popper=1f389 raised_hands=1f64c
  point_up=1f446 octopus=1f419 ship=1f6a2 anchor=2693 construction=1f3d7 stop_sign=1f6d1
  no_entry=26d4 red_circle=1f534 green_circle=1f7e2 blue_circle=1f535 yellow_circle=1f7e1
  arrow_up=2b06 arrow_down=2b07 repeat=1f501 speech_balloon=1f4ac bulb=1f4a1 light_bulb=1f4a1
  chart=1f4c8 email=2709 phone=260e computer=1f4bb
`;

/** Emoji codes by name. */
export const emojiCodes: ReadonlyMap<string, string> = new Map(
  common
    .trim()
    .split(/\s+/)
    .map((entry): [string, string] => {
      const at = entry.lastIndexOf('=');
      return [entry.slice(0, at), entry.slice(at + 1)];
    }),
);
