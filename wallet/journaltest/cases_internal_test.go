package journaltest

import (
	"reflect"
	"testing"

	"github.com/walletfi/walletfi-go/wallet"
)

// TestEntryIsWhole: no field is left out of what a journal has to give back, but those that
// have cases of their own.
func TestEntryIsWhole(t *testing.T) {
	set, all := map[string]bool{}, map[string]bool{}
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		all[path] = true
		set[path] = set[path] || !v.IsZero()
		switch {
		case v.Kind() == reflect.Pointer && !v.IsNil():
			walk(path, v.Elem())
		case v.Kind() == reflect.Slice:
			for i := range v.Len() {
				walk(path+"[]", v.Index(i))
			}
		case v.Kind() == reflect.Struct && v.Type().PkgPath() != "time":
			for i := range v.NumField() {
				walk(path+"."+v.Type().Field(i).Name, v.Field(i))
			}
		}
	}
	walk("", reflect.ValueOf(entry("key", 1)))
	for path := range all {
		if own := path == ".Derived" || path == ".Untold" || path == ".Ledger" || path == ".Spend"; own == set[path] {
			t.Errorf("Entry%s: set is %t", path, set[path])
		}
	}
	if n := reflect.TypeFor[wallet.Entry]().NumField(); len(all) < 4*n {
		t.Errorf("%d fields were found", len(all))
	}
}
