package judge

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// kept are the fields that outlive a case: they are written before they are read,
// or hold whatever the case.
var kept = map[string]bool{
	"want.owner": true, "want.caps.Tip": true, "want.caps.Rent": true, "want.caps.ForeignRent": true, "want.networkFee": true,
	"want.transactions": true, "want.lastValid": true, "want.height": true, "want.recent": true,
	"ledger.want": true, "ledger.findings": true, "ledger.steps": true,
	"checker.judge": true, "checker.want": true, "checker.index": true, "checker.pins": true, "checker.typed": true, "checker.ledger": true, "checker.findings": true,
	"checker.natives": true, "checker.nativesOf": true,
	"Findings.Owner": true, "Findings.BlockHeight": true, "Findings.LastValid": true,
}

// A case is used again, for another wallet: what was found of one set, and what
// it held, says nothing of the next.
func TestAClosedCaseHoldsNothing(t *testing.T) {
	c := new(Case)
	fields := fill(t, "", reflect.ValueOf(c).Elem())
	require.Greater(t, fields, 60)
	c.Close()
	held(t, "", reflect.ValueOf(c).Elem())
}

// writable is a field that reflection may write though it is not exported.
func writable(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}

// fill gives every field a value that is not zero, and slices two elements.
func fill(t *testing.T, path string, v reflect.Value) (fields int) {
	t.Helper()
	switch v = writable(v); v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fields += fill(t, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
		return fields
	case reflect.Array:
		return fill(t, path, v.Index(0))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 4))
		fill(t, path, v.Index(0))
		return fill(t, path, v.Index(1))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Interface, reflect.Chan, reflect.Map, reflect.Func:
		return 0
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int8, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	default:
		t.Fatalf("%s is a %s", path, v.Kind())
	}
	return 1
}

// held requires that a field is zero, and a slice empty with nothing in its room,
// unless it is among those that are kept.
func held(t *testing.T, path string, v reflect.Value) {
	t.Helper()
	if kept[trimmed(path)] {
		return
	}
	switch v = writable(v); v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			held(t, path+"."+v.Type().Field(i).Name, v.Field(i))
		}
	case reflect.Slice:
		require.Zero(t, v.Len(), path)
		for room := v.Slice(0, v.Cap()); room.Len() > 0; room = room.Slice(1, room.Len()) {
			require.True(t, room.Index(0).IsZero(), "%s keeps what it held", path)
		}
	default:
		require.True(t, v.IsZero(), path)
	}
}

func trimmed(path string) string {
	if path == "" {
		return ""
	}
	return path[1:]
}
