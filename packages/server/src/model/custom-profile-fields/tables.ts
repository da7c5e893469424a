import type { CustomProfileFieldId, ProfileFieldType, RealmId, UserId } from '@bellhop/protocol';
import type { Generated } from 'kysely';

export interface CustomProfileFieldsTables {
  custom_profile_field: {
    id: Generated<CustomProfileFieldId>;
    realm_id: RealmId;
    name: string;
    hint: string;
    field_type: ProfileFieldType;
    /** JSON text, or empty. */
    field_data: string;
    field_order: number;
    display_in_profile_summary: boolean;
    required: boolean;
    editable_by_user: boolean;
  };
  custom_profile_value: {
    realm_id: RealmId;
    field_id: CustomProfileFieldId;
    user_id: UserId;
    /** For the type users: JSON text with a list of IDs. */
    value: string;
    /** HTML, of the types of text. */
    rendered_value: string | null;
  };
}
