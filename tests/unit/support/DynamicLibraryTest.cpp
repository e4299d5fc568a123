#include "runtime/support/DynamicLibrary.h"

#include <gtest/gtest.h>

using tawa::DynamicLibrary;

TEST(DynamicLibrary, MissingFileSaysWhichFile) {
  auto library = DynamicLibrary::open("libtawa-does-not-exist.so.7");
  ASSERT_FALSE(library);
  EXPECT_NE(library.status().message().find("libtawa-does-not-exist.so.7"), std::string::npos);
}

TEST(DynamicLibrary, FindsSymbolsAndSaysWhereThereIsNone) {
  auto library = DynamicLibrary::open("libm.so.6");
  ASSERT_TRUE(library) << library.status().message();
  auto *cosine = reinterpret_cast<double (*)(double)>(library->symbol("cos"));
  ASSERT_NE(cosine, nullptr);
  EXPECT_EQ(cosine(0.0), 1.0);
  EXPECT_EQ(library->symbol("tawa_no_such_symbol"), nullptr);
}
