package world_test

import (
	"strconv"
	"strings"
)

// kind is the form of a parameter: values that are well-formed, the first of which
// the requests carry, and values that are not. Values of a body are JSON.
type kind struct{ good, bad []string }

// sample has what well-formed values are made of.
type sample struct{ key, signature, tx64, tx58, echo string }

// notNumbers are the ways in which no number is written in a query.
var notNumbers = []string{"-1", "+1", "01", "1e3", "1_000", "NaN", "Inf", "0x10", ".5", "5.", "abc", " 1", ""}

// inQuery is a kind in a query or a path.
func (v sample) inQuery(name string) kind {
	keys := []string{"nobody", " " + v.key, v.key + " ", v.key[:20], "0OIl", ""}
	lists := []string{",a", "a,", "a,,b", "a, b", " "}
	if from, to, ok := bounds(name); ok {
		k := kind{[]string{strconv.Itoa(to), strconv.Itoa(from)}, append([]string{strconv.Itoa(to + 1), "1.5"}, notNumbers...)}
		if from > 0 {
			k.bad = append(k.bad, strconv.Itoa(from-1))
		}
		return k
	}
	if words, ok := strings.CutPrefix(name, "set:"); ok {
		one, _, _ := strings.Cut(words, "/")
		return kind{[]string{strings.ReplaceAll(words, "/", ","), one}, []string{"nope", one + "," + one, one + ",,", ", " + one, ""}}
	}
	switch name {
	case "key":
		return kind{[]string{v.key}, keys}
	case "text", "template":
		return kind{[]string{"evmWalletFilter", "any text, of any words"}, []string{"", " "}}
	case "integer":
		return kind{[]string{"1", "0"}, append([]string{"1.5", "1.0"}, notNumbers...)}
	case "number":
		return kind{[]string{"1", "0", "2.5"}, notNumbers}
	case "bps":
		return kind{[]string{"50", "10000"}, append([]string{"1.5", "10001"}, notNumbers...)}
	case "auto":
		return kind{[]string{"50", "auto"}, append([]string{"AUTO", "1.5", "10001"}, notNumbers...)}
	case "one":
		return kind{[]string{"1"}, append([]string{"7", "1.5"}, notNumbers...)}
	case "bool":
		return kind{[]string{"true", "false"}, []string{"1", "True", "yes", " true", ""}}
	case "list":
		return kind{[]string{"a", "a,b"}, append([]string{""}, lists...)}
	case "list-of-keys":
		return kind{[]string{v.key, v.key + "," + v.key}, append([]string{"x", v.key + ",x"}, lists...)}
	case "signature":
		return kind{[]string{v.signature}, []string{"x", v.key, ""}}
	case "tx64":
		return kind{[]string{v.tx64}, []string{"%", "AAAA", v.tx58, ""}}
	case "instant":
		return kind{[]string{"2027-01-01T00:00:00Z"}, []string{"tomorrow", "2027-13-01T00:00:00Z", "1767225600", ""}}
	case "timestamp":
		return kind{[]string{"1767225600", "2026-01-01T00:00:00Z", "0"}, []string{"yesterday", "-5", "+5", ""}}
	case "priority":
		return kind{[]string{"auto", "disabled", "5", `{"priorityLevel":"high"}`}, []string{"low", "1.5", "-1", "01", `{"priorityLevel":"low"}`, `{"bundleTipLamports":1.5}`, ""}}
	}
	words := strings.Split(name, "/")
	return kind{words, []string{"nope", strings.ToUpper(words[0]) + "x", " " + words[0], ""}}
}

// inBody is a kind in a body.
func (v sample) inBody(name string) kind {
	quoted := func(texts ...string) (all []string) {
		for _, t := range texts {
			all = append(all, strconv.Quote(t))
		}
		return all
	}
	notText := []string{"5", "true", "null", "[]", "{}"}
	notObject := []string{"5", "true", "null", "[]", `"x"`}
	integers := []string{"1.5", "1.0", "1e3", "-1", "-0", `"1"`, "true", "null", "[]"}
	key := strconv.Quote(v.key)
	if from, to, ok := bounds(name); ok {
		k := kind{[]string{strconv.Itoa(to), strconv.Itoa(from)}, append([]string{strconv.Itoa(to + 1)}, integers...)}
		if from > 0 {
			k.bad = append(k.bad, strconv.Itoa(from-1))
		}
		return k
	}
	switch name {
	case "integer":
		return kind{[]string{"1", "0"}, integers}
	case "bps":
		return kind{[]string{"50"}, append([]string{"10001"}, integers...)}
	case "float":
		return kind{[]string{"2", "1.5"}, []string{`"2"`, "true", "null", "[]"}}
	case "bool", "off":
		k := kind{[]string{"false", "true"}, []string{`"true"`, "1", "null", "[]"}}
		if name == "off" {
			k.good = k.good[:1]
		}
		return k
	case "digits":
		return kind{[]string{`"1"`}, append(quoted("1.5", "-1", "+1", "01", "1e3", "0x1", "1_0", "NaN", ""), notText...)}
	case "burn":
		return kind{[]string{"1", `"1"`}, []string{"0", `"0"`, "1.5", "-1", `"01"`, `"1e3"`, "null", "true"}}
	case "date":
		return kind{[]string{`"2027-01-01"`}, append(quoted("01/02/2027", "2027-02-30", "2027-01-01T00:00:00Z", ""), notText...)}
	case "email":
		return kind{[]string{`"a@example.com"`}, append(quoted("nobody", "a b@example.com", " ", ""), notText...)}
	case "base64":
		return kind{[]string{`"AQID"`}, append(quoted("!", "AQI", " ", ""), notText...)}
	case "code":
		return kind{[]string{`"abc9"`}, append(quoted("a", "ABC", "ab c", strings.Repeat("a", 21), ""), notText...)}
	case "https":
		return kind{[]string{`"https://example.com/hook"`}, append(quoted("http://example.com", "nowhere", " ", ""), notText...)}
	case "texts":
		return kind{[]string{`["x"]`}, []string{`[""]`, `[" "]`, `"x"`, "[5]", "null", "{}", `[null]`}}
	case "keys":
		return kind{[]string{"[" + key + "]"}, []string{`["nobody"]`, `[""]`, `[` + key + `,5]`, key, "null", "{}"}}
	case "object":
		return kind{[]string{`{"amount":"1"}`}, notObject}
	case "spending":
		whole := `{"mint":` + key + `,"amount":"5","period":"daily"}`
		return kind{[]string{whole, `{"mint":` + key + `,"amount":"5","period":"a word that is not shown"}`}, append([]string{
			"{}", `{"mint":"x","amount":"5","period":"daily"}`, `{"mint":` + key + `,"amount":5,"period":"daily"}`, `{"mint":` + key + `,"amount":"05","period":"daily"}`,
			`{"mint":` + key + `,"amount":"5","amount":"5","period":"daily"}`, `{"mint":` + key + `,"amount":"5","period":"daily","x":1}`, `{"mint":` + key + `,"amount":"5","period":""}`,
		}, notObject...)}
	case "limits":
		return kind{[]string{`{"perTransaction":"1","daily":"2","allowedMints":[` + key + `],"allowedDestinations":[]}`}, append([]string{`{"daily":5}`, `{"weekly":"1"}`, `{"allowedMints":["x"]}`, `{"daily":"1","daily":"1"}`}, notObject...)}
	case "instructions":
		of := func(program, pubkey, data string) string {
			return `[{"programId":` + program + `,"accounts":[{"pubkey":` + pubkey + `,"isSigner":true,"isWritable":false}],"data":` + data + `}]`
		}
		return kind{[]string{of(key, key, `""`)}, []string{"[]", "[{}]", of(`"x"`, key, `""`), of(key, `"x"`, `""`), of(key, key, `"%"`), of(key, key, "5"), `"x"`, "null", "{}"}}
	case "echo":
		return kind{[]string{v.echo}, append([]string{"{}", `{"outAmount":"1"}`}, notObject...)}
	case "fee":
		return kind{[]string{`"auto"`, `"disabled"`, "5", `{"bundleTipLamports":1}`, `{"autoMultiplier":1.5,"maxLamports":9}`}, []string{`"low"`, `"5"`, "1.5", "-1", "{}", `{"bundleTipLamports":"1"}`, `{"priorityLevel":"high","maxLamports":1}`, "null"}}
	case "destination":
		return kind{[]string{`{"address":` + key + `,"createIfNeeded":true}`}, append([]string{"{}", `{"address":"x"}`, `{"address":` + key + `,"x":1}`}, notObject...)}
	case "surplus":
		return kind{[]string{`{"mode":"split","bps":1}`, `{"mode":"a word that is not shown","bps":1}`}, append([]string{"{}", `{"mode":"split","bps":"1"}`, `{"mode":"","bps":1}`}, notObject...)}
	case "tx58":
		return kind{[]string{strconv.Quote(v.tx58)}, append(quoted("0OIl", "1111", v.tx64, ""), notText...)}
	case "tx64":
		return kind{[]string{strconv.Quote(v.tx64)}, append(quoted("%", "AAAA", v.tx58, ""), notText...)}
	case "txs58":
		return kind{[]string{"[" + strconv.Quote(v.tx58) + "]"}, []string{`["0OIl"]`, `[""]`, "[]", strconv.Quote(v.tx58), "[5]", "null"}}
	case "arguments":
		const address = `"0x00000000000000000000000000000000000000aa"`
		return kind{[]string{`{"addresses":[` + address + `]}`}, append([]string{"{}", `{"addresses":[]}`, `{"addresses":["x"]}`, `{"addresses":[""]}`, `{"addresses":[` + address + `],"wallets":1}`, `{"addresses":` + address + `}`}, notObject...)}
	case "base58":
		return kind{[]string{`"base58"`}, append(quoted("hex", "BASE58", ""), notText...)}
	}
	k := v.inQuery(name)
	return kind{quoted(k.good...), append(quoted(k.bad...), notText...)}
}

// bounds reads a range such as 1..10.
func bounds(name string) (from, to int, ok bool) {
	low, high, ok := strings.Cut(name, "..")
	if !ok {
		return 0, 0, false
	}
	from, _ = strconv.Atoi(low)
	to, _ = strconv.Atoi(high)
	return from, to, true
}
