package lenient

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"math/big"
	"reflect"
	"strconv"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// token handles what is a scalar, or should be one.
func (r *relaxer) token(i int, t reflect.Type, quoted bool) (int, error) {
	end := jsontext.ValueEnd(r.Src, i)
	token := r.Src[i:end]
	fit, ok := fitted(token, t, quoted)
	if !ok {
		return 0, &FieldError{"", fmt.Sprintf("%s does not fit %s", jsontext.Kind(token), t), false}
	}
	if !bytes.Equal(fit, token) {
		r.Replace(i, end, fit)
	}
	return end, nil
}

// fitted returns token as encoding/json takes it for type t.
func fitted(token []byte, t reflect.Type, quoted bool) ([]byte, bool) {
	isText, isNest := token[0] == '"', token[0] == '{' || token[0] == '['
	k := t.Kind()
	switch {
	case k == reflect.String && t != jsonNumber, reflect.PointerTo(t).Implements(textUnmarshaler):
		if isText || isNest {
			return token, isText
		}
		return quote(token), true
	case k == reflect.Struct && fieldsOf(t).must != 0:
		return nil, false
	case k == reflect.Struct, k == reflect.Map, isList(t):
		if isNest && jsontext.IsEmptyNest(token) {
			return null, true
		}
		return token, isText && isList(t) && t.Elem().Kind() == reflect.Uint8 && isBase64(jsontext.Unquote(token))
	case isNest:
		return nil, false
	case isText && len(token) == 2:
		return null, true
	}
	text := token
	if isText {
		text = token[1 : len(token)-1]
	}
	fit, ok := fittedScalar(text, k)
	if quoted && ok {
		fit = quote(fit)
	}
	return fit, ok
}

var yes, no = []byte("true"), []byte("false")

// fittedScalar returns text as a JSON literal of kind k.
func fittedScalar(text []byte, k reflect.Kind) ([]byte, bool) {
	switch {
	case k == reflect.Bool:
		switch string(text) {
		case "true", "1":
			return yes, true
		case "false", "0":
			return no, true
		}
		return nil, false
	case isInteger(k):
		whole, ok := integral(text)
		return whole, ok && inRange(whole, k)
	}
	return text, jsontext.IsNumber(text)
}

// inRange reports whether a kind of integer holds a number without fraction or
// exponent.
func inRange(text []byte, k reflect.Kind) bool {
	bits := map[reflect.Kind]int{
		reflect.Int8: 8, reflect.Int16: 16, reflect.Int32: 32, reflect.Uint8: 8, reflect.Uint16: 16, reflect.Uint32: 32,
		reflect.Int: strconv.IntSize, reflect.Uint: strconv.IntSize, reflect.Uintptr: strconv.IntSize,
	}
	size := cmp.Or(bits[k], 64)
	var err error
	if k >= reflect.Uint {
		_, err = strconv.ParseUint(string(text), 10, size)
	} else {
		_, err = strconv.ParseInt(string(text), 10, size)
	}
	return err == nil
}

// integral writes a number without fraction or exponent if that is exact.
func integral(text []byte) ([]byte, bool) {
	// No integer that fits is longer, even with a fraction of zeros. The bound
	// on the exponent keeps 1e999999999 from becoming that many digits.
	const longest, longestExponent = 64, len("+99")
	if !jsontext.IsNumber(text) || len(text) > longest {
		return nil, false
	}
	if !bytes.ContainsAny(text, ".eE") && string(text) != "-0" {
		return text, true
	}
	if whole, fraction, _ := bytes.Cut(text, []byte(".")); !bytes.ContainsAny(text, "eE") && len(bytes.Trim(fraction, "0")) == 0 && string(whole) != "-0" {
		return whole, true
	}
	if _, exponent, _ := bytes.Cut(bytes.ToLower(text), []byte("e")); len(exponent) > longestExponent {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(string(text))
	if !ok || !r.IsInt() {
		return nil, false
	}
	return []byte(r.Num().String()), true
}

func isBase64(text []byte) bool {
	_, err := base64.StdEncoding.DecodeString(string(text))
	return err == nil
}
