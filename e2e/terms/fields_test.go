package terms_test

import (
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/providerswap"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

var clients = []any{
	&lending.Client{}, &smartaccount.Client{}, &leverage.Client{}, &predictmeta.Client{}, &swap.Client{}, &amm.Client{},
	&providerswap.Client{}, &burnclose.Client{}, &onchaindata.Client{}, &socialsearch.Client{}, &webhooks.Client{},
}

// field is one of a request or an answer.
type field struct {
	path string // package.Type.Field
	name string // in Go
	wire string // in the service, without case and underscores; empty if it is not sent
	kind string // its type without pointers: one of this module's strings is a word, its own struct an object
}

// fieldsOfCalls lists those of all requests and answers of the clients' calls, each once.
func fieldsOfCalls() []field {
	seen, found := map[reflect.Type]bool{}, []field(nil)
	for _, client := range clients {
		for m := range reflect.TypeOf(client).Methods() {
			for i := 1; i < m.Type.NumIn(); i++ {
				found = walk(found, seen, m.Type.In(i))
			}
			for i := range m.Type.NumOut() {
				found = walk(found, seen, m.Type.Out(i))
			}
		}
	}
	return found
}

// walk adds the fields of the structs of a service in a type.
func walk(found []field, seen map[reflect.Type]bool, t reflect.Type) []field {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Func {
		if t.Kind() == reflect.Func {
			if t.NumIn() == 0 || t.In(0).Kind() != reflect.Func {
				return found
			}
			t = t.In(0).In(0) // an iterator's
			continue
		}
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] || !ofService(t) {
		return found
	}
	seen[t] = true
	for f := range t.Fields() {
		if f.Anonymous || !f.IsExported() {
			found = walk(found, seen, f.Type)
			continue
		}
		found = append(found, field{t.String() + "." + f.Name, f.Name, wireName(f), kindOf(f.Type)})
		found = walk(found, seen, f.Type)
	}
	return found
}

// services are the packages of the clients.
var services = func() []string {
	var paths []string
	for _, client := range clients {
		paths = append(paths, reflect.TypeOf(client).Elem().PkgPath())
	}
	return paths
}()

func ofService(t reflect.Type) bool { return slices.Contains(services, t.PkgPath()) }

// wireName is the member's name in the service, as letters and digits.
func wireName(f reflect.StructField) string {
	for _, tag := range []string{"json", "url", "query"} {
		name, _, _ := strings.Cut(f.Tag.Get(tag), ",")
		if name == "" || name == "-" {
			continue
		}
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, name)
	}
	return ""
}

func kindOf(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Pointer:
		return kindOf(t.Elem())
	case t.Kind() == reflect.Slice && t.Name() == "":
		return "list of " + kindOf(t.Elem())
	case t.Kind() == reflect.Map && t.Name() == "":
		return "map of " + kindOf(t.Elem())
	case t == reflect.TypeFor[walletfi.Time]() || t == reflect.TypeFor[time.Time]():
		return "time"
	case !ofService(t):
		return strings.ReplaceAll(t.String(), "uint8", "byte")
	case t.Kind() == reflect.String:
		return "word"
	}
	return "object"
}

// unitOf is the unit of a field, by its name and its type.
func unitOf(f field) string {
	for _, u := range []struct{ end, unit string }{
		{"MicroLamports", "micro-lamports per compute unit"}, {"Lamports", "lamports"}, {"Bps", "basis points"},
		{"Pct", "percent"}, {"Percent", "percent"}, {"Percentage", "percent"}, {"USD", "US dollars"}, {"USD24h", "US dollars"},
	} {
		if strings.HasSuffix(f.name, u.end) {
			return u.unit
		}
	}
	switch {
	case strings.HasSuffix(f.kind, "walletfi.Amount"), f.kind == "walletfi.Asset":
		return "smallest units of the token"
	case strings.HasSuffix(f.kind, "walletfi.Slippage"):
		return "basis points"
	}
	return ""
}
