type Timed<Id extends string> = Readonly<Record<Id | 'scheduled_delivery_timestamp', number>>;

/**
 * Compares by the time at which something is due, then by ID: the order of the lists in the API.
 */
export const byDeliveryTime =
  <Id extends string>(id: Id) =>
  (one: Timed<Id>, other: Timed<Id>): number =>
    one.scheduled_delivery_timestamp - other.scheduled_delivery_timestamp || one[id] - other[id];
