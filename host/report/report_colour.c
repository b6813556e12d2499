// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_colour.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define IDLE "#e6e9ed"
#define CONTRAST 4.5 // contrast of text with its background

struct lab {
	double l, a, b;
};

static double to_linear(unsigned value)
{
	double v = value / 255.0;
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static unsigned to_byte(double linear)
{
	double v = linear <= 0.0031308 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055;
	return v <= 0 ? 0 : v >= 1 ? 255 : (unsigned)(v * 255 + 0.5);
}

// OKLab (B. Ottosson, 2020): equal steps look equal.
static struct lab lab_of(uint32_t rgb)
{
	double r = to_linear(rgb >> 16 & 255), g = to_linear(rgb >> 8 & 255), b = to_linear(rgb & 255);
	double l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
	double m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
	double s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
	return (struct lab){
		.l = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
		.a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
		.b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
	};
}

static uint32_t rgb_of(struct lab c)
{
	double l = pow(c.l + 0.3963377774 * c.a + 0.2158037573 * c.b, 3);
	double m = pow(c.l - 0.1055613458 * c.a - 0.0638541728 * c.b, 3);
	double s = pow(c.l - 0.0894841775 * c.a - 1.2914855480 * c.b, 3);
	unsigned r = to_byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
	unsigned g = to_byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
	unsigned b = to_byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s);
	return r << 16 | g << 8 | b;
}

void loom_report_colour(char out[8], uint32_t load, uint32_t max)
{
	static const uint32_t stops[] = {0x74c3b8, 0xe8bd54, 0xdf7434, 0xa31230};
	enum { LAST = sizeof stops / sizeof stops[0] - 1 };
	if (load == 0) {
		(void)snprintf(out, 8, "%s", IDLE);
		return;
	}
	double t = max > 1 ? log(load) / log(max) * LAST : 0;
	unsigned i = t >= LAST ? LAST - 1 : (unsigned)t;
	double f = t - i;
	struct lab from = lab_of(stops[i]), to = lab_of(stops[i + 1]);
	struct lab mix = {from.l + f * (to.l - from.l), from.a + f * (to.a - from.a), from.b + f * (to.b - from.b)};
	(void)snprintf(out, 8, "#%06" PRIx32, rgb_of(mix) & 0xffffff);
}

void loom_report_path_colour(char out[8], uint32_t i, uint32_t n)
{
	const double brightness = 0.62, chroma = 0.13, first = 2.5, last = 5.6; // hues as angles
	double hue = first + (last - first) * (n > 1 ? (double)i / (n - 1) : 0);
	struct lab colour = {brightness, chroma * cos(hue), chroma * sin(hue)};
	(void)snprintf(out, 8, "#%06" PRIx32, rgb_of(colour) & 0xffffff);
}

// The relative luminance of WCAG, from 0 to 1.
static double luminance(uint32_t rgb)
{
	return 0.2126 * to_linear(rgb >> 16 & 255) + 0.7152 * to_linear(rgb >> 8 & 255) + 0.0722 * to_linear(rgb & 255);
}

// Black is readable if neither ink nor white is: its contrast is 21 divided by that of white.
const char *loom_report_ink_on(uint32_t load, uint32_t max)
{
	char colour[8];
	loom_report_colour(colour, load, max);
	double ground = luminance((uint32_t)strtoul(colour + 1, NULL, 16)) + 0.05;
	if (ground / (luminance((uint32_t)strtoul(LOOM_REPORT_INK + 1, NULL, 16)) + 0.05) >= CONTRAST)
		return LOOM_REPORT_INK;
	return 1.05 / ground >= CONTRAST ? "#fff" : "#000";
}
