package check

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// configError is all that is wrong with a configuration, with its fields named as in Go.
type configError struct {
	text string
	errs []error
}

func (e *configError) Error() string   { return e.text }
func (e *configError) Unwrap() []error { return e.errs }

// Config returns all that is wrong with the configuration cfg, each once, or nil. The text
// names the package and the fields, such as "lending: Config.APIKey is required;
// Config.BaseURL is required".
func Config(cfg any, problems ...error) error {
	all := apart(errors.Join(problems...))
	if len(all) == 0 {
		return nil
	}
	of := reflect.TypeOf(cfg)
	var texts []string
	for _, err := range all {
		text := err.Error()
		if wrong, ok := err.(*walletfi.ValidationError); ok {
			text = of.Name() + "." + goName(of, wrong.Field) + " " + wrong.Problem
		}
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	pkg := of.PkgPath()[strings.LastIndex(of.PkgPath(), "/")+1:]
	return &configError{pkg + ": " + strings.Join(texts, "; "), all}
}

var joined = reflect.TypeOf(errors.Join(errors.ErrUnsupported))

// apart returns the errors of a joined one.
func apart(err error) (all []error) {
	if err == nil || reflect.TypeOf(err) != joined {
		return slices.DeleteFunc([]error{err}, func(err error) bool { return err == nil })
	}
	for _, err := range err.(interface{ Unwrap() []error }).Unwrap() {
		all = append(all, apart(err)...)
	}
	return all
}

// goName is the path of a field with its names as in Go, as far as they are fields.
func goName(of reflect.Type, path string) string {
	name, rest, more := strings.Cut(path, ".")
	name, index, indexed := strings.Cut(name, "[")
	same := func(field string) bool { return strings.EqualFold(field, name) }
	if of.Kind() == reflect.Struct {
		if f, ok := of.FieldByNameFunc(same); ok {
			name, of = f.Name, f.Type
		}
	}
	if indexed {
		name += "[" + index
	}
	if more {
		name += "." + goName(of, rest)
	}
	return name
}
