/* Other names for the functions of the device library, for a program that has its own armpmu_read
 * (Linux has one): compile the library's sources, and what includes its headers, with
 *
 *     -DARMPMU_PREFIX=our_
 *
 * and they are our_armpmu_read and so on in object files. Sources go on to say armpmu_read; one
 * that needs both includes no header of the library, or undefines the macro. */
#ifndef ARMPMU_PREFIX_H
#define ARMPMU_PREFIX_H

#define ARMPMU_JOIN_NAMES(prefix, name) prefix##name
#define ARMPMU_JOIN(prefix, name)       ARMPMU_JOIN_NAMES(prefix, name)
#define ARMPMU_PREFIXED(name)           ARMPMU_JOIN(ARMPMU_PREFIX, name)

#define armpmu_access_name          ARMPMU_PREFIXED(armpmu_access_name)
#define armpmu_claims               ARMPMU_PREFIXED(armpmu_claims)
#define armpmu_core_of              ARMPMU_PREFIXED(armpmu_core_of)
#define armpmu_core_find            ARMPMU_PREFIXED(armpmu_core_find)
#define armpmu_cores                ARMPMU_PREFIXED(armpmu_cores)
#define armpmu_create               ARMPMU_PREFIXED(armpmu_create)
#define armpmu_encoding_of          ARMPMU_PREFIXED(armpmu_encoding_of)
#define armpmu_event_alias          ARMPMU_PREFIXED(armpmu_event_alias)
#define armpmu_event_by_name        ARMPMU_PREFIXED(armpmu_event_by_name)
#define armpmu_event_by_number      ARMPMU_PREFIXED(armpmu_event_by_number)
#define armpmu_event_count          ARMPMU_PREFIXED(armpmu_event_count)
#define armpmu_event_matches        ARMPMU_PREFIXED(armpmu_event_matches)
#define armpmu_exception_class      ARMPMU_PREFIXED(armpmu_exception_class)
#define armpmu_fidelity_name        ARMPMU_PREFIXED(armpmu_fidelity_name)
#define armpmu_field_find           ARMPMU_PREFIXED(armpmu_field_find)
#define armpmu_field_get            ARMPMU_PREFIXED(armpmu_field_get)
#define armpmu_field_mask           ARMPMU_PREFIXED(armpmu_field_mask)
#define armpmu_field_rule_name      ARMPMU_PREFIXED(armpmu_field_rule_name)
#define armpmu_field_set            ARMPMU_PREFIXED(armpmu_field_set)
#define armpmu_glob_matches         ARMPMU_PREFIXED(armpmu_glob_matches)
#define armpmu_has_register         ARMPMU_PREFIXED(armpmu_has_register)
#define armpmu_headroom             ARMPMU_PREFIXED(armpmu_headroom)
#define armpmu_headroom_of          ARMPMU_PREFIXED(armpmu_headroom_of)
#define armpmu_load                 ARMPMU_PREFIXED(armpmu_load)
#define armpmu_naming_name          ARMPMU_PREFIXED(armpmu_naming_name)
#define armpmu_nested_offset        ARMPMU_PREFIXED(armpmu_nested_offset)
#define armpmu_output               ARMPMU_PREFIXED(armpmu_output)
#define armpmu_output_is_active_low ARMPMU_PREFIXED(armpmu_output_is_active_low)
#define armpmu_output_is_of         ARMPMU_PREFIXED(armpmu_output_is_of)
#define armpmu_output_meaning       ARMPMU_PREFIXED(armpmu_output_meaning)
#define armpmu_output_name          ARMPMU_PREFIXED(armpmu_output_name)
#define armpmu_peek                 ARMPMU_PREFIXED(armpmu_peek)
#define armpmu_pin                  ARMPMU_PREFIXED(armpmu_pin)
#define armpmu_pin_bits             ARMPMU_PREFIXED(armpmu_pin_bits)
#define armpmu_pin_is_of            ARMPMU_PREFIXED(armpmu_pin_is_of)
#define armpmu_pin_matters          ARMPMU_PREFIXED(armpmu_pin_matters)
#define armpmu_pin_meaning          ARMPMU_PREFIXED(armpmu_pin_meaning)
#define armpmu_pin_name             ARMPMU_PREFIXED(armpmu_pin_name)
#define armpmu_pin_signal           ARMPMU_PREFIXED(armpmu_pin_signal)
#define armpmu_poke                 ARMPMU_PREFIXED(armpmu_poke)
#define armpmu_post_fault           ARMPMU_PREFIXED(armpmu_post_fault)
#define armpmu_read                 ARMPMU_PREFIXED(armpmu_read)
#define armpmu_register_find        ARMPMU_PREFIXED(armpmu_register_find)
#define armpmu_register_mask        ARMPMU_PREFIXED(armpmu_register_mask)
#define armpmu_register_reset       ARMPMU_PREFIXED(armpmu_register_reset)
#define armpmu_reset                ARMPMU_PREFIXED(armpmu_reset)
#define armpmu_restore              ARMPMU_PREFIXED(armpmu_restore)
#define armpmu_set_pin              ARMPMU_PREFIXED(armpmu_set_pin)
#define armpmu_signal_meaning       ARMPMU_PREFIXED(armpmu_signal_meaning)
#define armpmu_signal_name          ARMPMU_PREFIXED(armpmu_signal_name)
#define armpmu_snapshot             ARMPMU_PREFIXED(armpmu_snapshot)
#define armpmu_snapshot_bytes       ARMPMU_PREFIXED(armpmu_snapshot_bytes)
#define armpmu_store                ARMPMU_PREFIXED(armpmu_store)
#define armpmu_threshold_reached    ARMPMU_PREFIXED(armpmu_threshold_reached)
#define armpmu_try                  ARMPMU_PREFIXED(armpmu_try)
#define armpmu_unit_name            ARMPMU_PREFIXED(armpmu_unit_name)
#define armpmu_version              ARMPMU_PREFIXED(armpmu_version)
#define armpmu_write                ARMPMU_PREFIXED(armpmu_write)

#endif
