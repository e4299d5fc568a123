// Asks about tiles beside the fastest and enters what the compiler answers.
#include "runtime/tuner/space/TileSteps.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace tawa {

namespace {

/// What the times of larger tiles count for. They gain more than predicted: weights of 8 bits with 16 rows, 28672 x
/// 8192, take 65 us in 128 x 128 by several roles and 96 us in the text's 64 x 64 by one, of which 62 and 65 were
/// expected.
constexpr double kOfLargerTiles = 0.97;
/// Launches that are predicted to take as long may do better with larger tiles than the text's: seconds.
constexpr double kWorthLargerTiles = 8e-6;
/// Smaller ones are asked about as long as that gains so much.
constexpr double kWorthAsking = 0.97;
/// Rows of a product of one role: with fewer, the operands change places, and results are stored across their rows. 8
/// rows took 0.2 to 0.5 us more than 16 in six texts of 4 to 6 us.
constexpr int64_t kRowsOfOneRole = 16;

/// The answers for tiles that the sizes of the text allow.
TileChoices askForTiles(const SpaceInput &input, std::span<const TileValues> tiles) {
  TileChoices choices;
  for (const TileValues &tile : tiles)
    if (std::ranges::all_of(input.tileParameters, [&](const auto &parameter) {
          return std::ranges::count(parameter.second, tile.at(parameter.first)) > 0;
        }))
      choices[{tile, 0}];
  askChoices(input, choices);
  return choices;
}

/// The least size of a dimension that makes at most `parts` tiles of one, by halves.
int64_t leastSizeOf(const SpaceInput &input, const std::string &name, int64_t size, int64_t parts, int64_t least) {
  int64_t found = size;
  for (const auto &[parameter, values] : input.tileParameters)
    for (int64_t part = 2; parameter == name && part <= parts && size % part == 0 && size / part >= least; part *= 2)
      if (std::ranges::count(values, size / part) > 0)
        found = size / part;
  return found;
}

TileValues withTwice(TileValues tile, const std::string &name) {
  tile[name] *= 2;
  return tile;
}

/// Tiles of twice the size along one dimension.
std::vector<TileValues> twiceAsLarge(const TileValues &tile) {
  std::vector<TileValues> tiles;
  for (const auto &[name, size] : tile)
    tiles.push_back(withTwice(tile, name));
  return tiles;
}

/// Of twice the size along two dimensions.
std::vector<TileValues> largerInTwo(const TileValues &tile) {
  std::vector<TileValues> tiles;
  for (auto one = tile.begin(); one != tile.end(); ++one)
    for (auto other = std::next(one); other != tile.end(); ++other)
      tiles.push_back(withTwice(withTwice(tile, one->first), other->first));
  return tiles;
}

/// Enters the configurations of tiles that the sizes of the text allow; whether a new tile is the fastest then. Without
/// roles a kernel is entered only where that of the text has none either.
bool enterTiles(TileChoices &choices, const KernelConfig &usual, const TileConfigs &configs, bool hasRoles,
                double ofTile, Contest &contest) {
  TileValues fastest = contest.winner().tile;
  for (auto &[key, choice] : choices) {
    KernelConfig config = usual;
    config.tile = key.first;
    if (choice.verdict.refusal != Refusal::None)
      continue;
    if (choice.summary.declined.empty())
      contest.enterRoles(choice, configs.ofRoles(config, choice), ofTile);
    else if (!hasRoles)
      contest.enter(choice, {}, configs.ofOneRole(config, choice), ofTile);
  }
  return contest.winner().tile != fastest;
}

/// Steps from the fastest tile to those beside it, in a launch whose programs leave multiprocessors idle: along
/// dimensions of results such of which there are as many as multiprocessors, along others such of twice the size, with
/// which a program needs fewer iterations.
class SmallerTiles {
public:
  SmallerTiles(const SpaceInput &input, const TileChoice &choice)
      : input(input), leastRows(choice.summary.declined.empty() ? 1 : kRowsOfOneRole) {
    programs[choice.tile] = programsOf(choice);
  }

  /// Those that were not asked about before.
  std::vector<TileValues> beside(const TileValues &tile) {
    std::vector<TileValues> tiles;
    int64_t room = static_cast<int64_t>(input.hardware.multiprocessors) / programs.at(tile);
    for (const auto &[name, size] : tile) {
      auto known = areOfResults.find(name);
      bool mayBeOfResult = known == areOfResults.end() || known->second;
      int64_t least = mayBeOfResult ? leastSizeOf(input, name, size, room, leastRows) : size;
      TileValues other = tile;
      other[name] = least < size ? least : 2 * size;
      bool isWanted = least < size || known == areOfResults.end() || !known->second;
      if (isWanted && asked.insert(other).second)
        tiles.push_back(std::move(other));
    }
    return tiles;
  }

  /// Learns from the answers about tiles beside one, and leaves out those that make fewer programs, or need more
  /// iterations for as many. Whether it learnt of a dimension that smaller tiles along it make no more of them.
  bool learn(const TileValues &tile, TileChoices &answers) {
    int64_t before = programs.at(tile);
    bool areNew = false;
    std::erase_if(answers, [&](const auto &answer) {
      const auto &[key, choice] = answer;
      if (choice.verdict.refusal != Refusal::None)
        return true;
      int64_t now = programs[key.first] = programsOf(choice);
      bool isWorse = now < before;
      for (const auto &[name, size] : key.first) {
        bool isNew = size != tile.at(name) && areOfResults.try_emplace(name, now != before).second;
        bool hasMoreIterations = size < tile.at(name) && now == before;
        areNew |= isNew && hasMoreIterations;
        isWorse |= hasMoreIterations;
      }
      return isWorse;
    });
    return areNew;
  }

private:
  const SpaceInput &input;
  int64_t leastRows;
  std::set<TileValues> asked;
  std::map<TileValues, int64_t> programs;
  std::map<std::string, bool> areOfResults; ///< Dimensions, as far as they were asked about.
};

} // namespace

void enterLargerTiles(const SpaceInput &input, const KernelConfig &usual, const TileConfigs &configs,
                      Contest &contest) {
  constexpr int kSteps = 2;
  auto enter = [&](std::span<const TileValues> tiles) {
    TileChoices larger = askForTiles(input, tiles);
    return enterTiles(larger, usual, configs, /*hasRoles=*/true, kOfLargerTiles, contest);
  };
  bool mayHelp = input.sizesAreFound && contest.seconds() >= kWorthLargerTiles;
  for (int step = 0; step < kSteps && mayHelp; ++step) {
    TileValues tile = contest.winner().tile;
    mayHelp = enter(twiceAsLarge(tile)) || enter(largerInTwo(tile));
  }
}

void enterSmallerTiles(const SpaceInput &input, const KernelConfig &usual, const TileChoice &choice,
                       const TileConfigs &configs, Contest &contest) {
  constexpr int kSteps = 3;
  if (!input.sizesAreFound || programsOf(choice) * 2 > static_cast<int64_t>(input.hardware.multiprocessors))
    return;
  SmallerTiles tiles(input, choice);
  bool hasRoles = choice.summary.declined.empty();
  for (int step = 0; step < kSteps; ++step) {
    TileValues fastest = contest.winner().tile;
    double before = contest.seconds();
    TileChoices answers = askForTiles(input, tiles.beside(fastest));
    bool areNew = tiles.learn(fastest, answers);
    enterTiles(answers, usual, configs, hasRoles, /*ofTile=*/1, contest);
    if (!areNew && contest.seconds() > kWorthAsking * before)
      break;
  }
}

} // namespace tawa
