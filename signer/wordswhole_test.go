package signer_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/internal/passkey"
	"github.com/walletfi/walletfi-go/signer/internal/passkey/passkeytest"
	"github.com/walletfi/walletfi-go/signing"
)

// wholeText is a policy that has every member.
func wholeText(t *testing.T) string {
	site, err := passkey.ParseSite(origin)
	require.NoError(t, err)
	limit := `{length = "1h", most = 70, unapproved = 7}`
	bounds := func(of string) string {
		return fmt.Sprintf("[[%s.ceiling]]\nmint = \"SOL\"\ntransaction = 60\nunapproved = 6\n", of) +
			fmt.Sprintf("window = [%s]\n[[%s.exposure]]\nmint = \"SOL\"\nmost = 90\n", limit, of)
	}
	text := approvedText() + strings.Join([]string{"[[owner.account]]", `address = "` + thief.String() + `"`, `mint = "SOL"`,
		"[[template]]", `name = "user"`, "most = 3",
		`made = [{length = "1h", most = 2}]`, bounds("template"),
		"[[template.sum]]", `mint = "SOL"`, `window = [{length = "1h", most = 70}]`,
		"[[payee]]", `name = "bounded"`, `address = "` + thief.String() + `"`,
		strings.Split(bounds("payee"), "[[payee.exp")[0],
		"[[client]]", `name = "desk"`, `certificate = "desk"`, `owners = ["bot"]`, `templates = ["user"]`,
		`services = ["lending"]`, "share = 9", "rate = 9",
		"[[service]]", `name = "odd"`, "blind = true", "[[service.pin]]",
		`program = "` + thief.String() + `"`, "deployed = 7"}, "\n")
	text += fmt.Sprintf("\n[prices]\nunit = \"USD\"\nsources = [\"one\"]\nage = \"1m\"\nagree = 1\n" +
		"mint = [{mint = \"SOL\", decimals = 9}]\n")
	text = strings.Replace(text, "[[owner.exposure]]", "[owner.trades]\nwithin = 1\n"+
		"turnover = [{length = \"1h\", most = 1}]\nloss = [{length = \"1h\", most = 1}]\n[[owner.exposure]]", 1)
	text = strings.Replace(text, "must_be_ours = [1]", "must_be_ours = [1]\nfloor = {least = 1, to = 1}", 1)
	one := `["` + program.String() + `"]`
	lines := []string{`heartbeat = "2h"`, `payees_wait = "3h"`, fmt.Sprintf("page = %q", origin)}
	ann := fmt.Sprintf("name = \"ann\"\npasskeys = [%q]", passkeytest.New(t, site).Key())
	text = strings.Replace(text, `name = "ann"`, ann, 1)
	for _, name := range []string{"fee_receivers", "co_signers", "sponsors"} {
		lines = append(lines, name+" = "+one)
	}
	text = strings.Replace(text, "admins = [0]", "admins = [0]\n"+strings.Join(lines, "\n"), 1)
	of := "elsewhere = true\nmultisigs = " + one + "\nnonces = " + one
	return strings.Replace(text, `name = "bot"`, "name = \"bot\"\n"+of, 1)
}

// leaves calls f for each way in which one member of a value can be another.
func leaves(path string, v reflect.Value, f func(path string, set func() (undo func()))) {
	if v.Type() == reflect.TypeFor[signing.PublicKey]() {
		changed(path, v, reflect.ValueOf(signing.PublicKey{9}), f)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				leaves(path+"."+field.Name, v.Field(i), f)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			changed(path+" absent", v, reflect.Zero(v.Type()), f)
			leaves(path, v.Elem(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			leaves(path+"[]", v.Index(i), f)
		}
		if v.Len() > 0 {
			changed(path+" less", v, v.Slice(1, v.Len()), f)
		}
	case reflect.Bool:
		changed(path, v, reflect.ValueOf(!v.Bool()), f)
	case reflect.String:
		changed(path, v, reflect.ValueOf(v.String()+"x"), f)
	case reflect.Int, reflect.Int64:
		changed(path, v, reflect.ValueOf(v.Int()+60_000_000_000), f)
	case reflect.Uint64:
		changed(path, v, reflect.ValueOf(v.Uint()+1), f)
	default:
		panic(path + " is of a kind that this test does not know")
	}
}

func changed(path string, v, to reflect.Value, f func(string, func() func())) {
	f(path, func() func() {
		was := reflect.New(v.Type()).Elem()
		was.Set(v)
		v.Set(to.Convert(v.Type()))
		return func() { v.Set(was) }
	})
}

// TestTheWordsHaveEveryMember: approvers of a change read each member of a policy that is another.
func TestTheWordsHaveEveryMember(t *testing.T) {
	unread := []string{
		".Version",                                                        // there is one
		".Templates[].Sum[].Transaction", ".Templates[].Sum[].Unapproved", // not used
		".Templates[].Sum[].Windows[].Unapproved", ".Templates[].Made[].Unapproved", // refused
		".Owners[].Trades.Turnover[].Unapproved", ".Owners[].Trades.Loss[].Unapproved", // likewise
	}
	text := wholeText(t)
	was, is := parsed(t, text), parsed(t, text)
	read := map[string]bool{}
	leaves("", reflect.ValueOf(is).Elem(), func(path string, set func() func()) {
		undo := set()
		read[path] = read[path] || len(was.Diff(is)) > 0
		undo()
	})
	require.Empty(t, was.Diff(is))
	all := members("", reflect.TypeFor[signer.Policy]())
	require.Greater(t, len(all), 50)
	for _, path := range all {
		assert.NotEqual(t, slices.Contains(unread, path), read[path], path)
	}
	for path, is := range read {
		assert.True(t, is || slices.Contains(unread, path), path)
	}
}

// members are the paths of all that a type may have.
func members(path string, of reflect.Type) (all []string) {
	switch {
	case of.Kind() == reflect.Pointer:
		return members(path, of.Elem())
	case of.Kind() == reflect.Slice:
		return members(path+"[]", of.Elem())
	case of.Kind() != reflect.Struct:
		return []string{path}
	}
	for i := range of.NumField() {
		if f := of.Field(i); f.IsExported() {
			all = append(all, members(path+"."+f.Name, f.Type)...)
		}
	}
	return all
}
